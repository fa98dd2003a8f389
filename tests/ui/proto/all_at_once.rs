//! Many problems in one call: each is reported, once.

pipes::proto! {
    /// The first protocol has problems of many kinds.
    #[bounded(1)]
    #[inline]
    pub first {
        log_in: send {
            user(name: String, name: String) -> account,
            #[cfg(unix)]
            guest -> acount,
            forget
        }
        account: sends {
            deposit(u64) -> account,
            Deposit(u64) -> !,
            leave -> 0
        }
        LogIn: recv { never -> ! }
        account: recv {}
    }

    second<T, U = u8> {
        open: send { data(T) -> open<T> }
        client: recv<V> { data(V, U) -> client<Option<V>> }
    }

    third {}
}

fn main() {}
