//! The kinds of operations, counted to show that a run was varied.

macro_rules! kinds {
    ($($kind:ident)*) => {
        /// The kind of an operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind { $($kind),* }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];
        }
    };
}

kinds! {
    Idle Birth DropEnd
    Sent SendClosed SendFull SendTimeout SendBlocked
    AsyncSent AsyncPending AsyncTakenBack AsyncDropped AsyncForgotten
    ManyFull ManyTimeout ManyBlocked ManyPending ManyTakenBack ManyDropped ManyForgotten
    Reserved ReserveFull ReserveTimeout ReserveBlocked ReserveClosed
    ReservePending ReserveCancelled ReserveForgotten PermitSent PermitDropped
    ArmSent ArmFull ArmTimeout ArmOther ArmDropped
    SinkSent SinkFull SinkClosed SinkBatch
    RunSent RunPending RunFull RunReceived RunEmpty
    Drained PortClosed
    CloseSeen CloseTimeout CloseAwaited ClosePending
    Received ReceiveEmpty ReceiveClosed ReceiveTimeout ReceiveBlocked
    PollReady PollPending FutureDone FutureDropped FutureForgotten StreamItem
    IntoShared SharedReceived SharedEmpty SharedClosed SharedBlocked SharedPending SharedForgotten Cloned
    SetReceived SetClosed SetEmpty SetInserted SetReplaced SetRemoved SetBlocked SetOver
    Selected SelectBlocked SelectTimeout SelectDefault SelectPolled SelectFunction SelectTwo
    OnceSent OnceReceived EventualGot EventualPending EventualComputed
    DuplexParted Connected ConnectRefused Accepted
    PingPong Greeted Banked Couriered SessionClosed SessionOver
    Loaded Unloaded Planned WokenDeed DroppedDeed MessageDeed StolenEnd
}

/// How often each kind occurred.
#[derive(Clone)]
pub struct Counts([u64; Kind::ALL.len()]);

impl Default for Counts {
    fn default() -> Self {
        Counts([0; Kind::ALL.len()])
    }
}

impl Counts {
    pub fn add(&mut self, kind: Kind, times: u64) {
        self.0[kind as usize] += times;
    }

    pub fn merge(&mut self, other: &Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }

    /// The kinds that never occurred.
    pub fn missing(&self) -> Vec<Kind> {
        Kind::ALL.iter().copied().filter(|&kind| self.0[kind as usize] == 0).collect()
    }

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
