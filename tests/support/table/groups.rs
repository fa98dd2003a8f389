//! The groups of scenarios, and the macros that make tests of them.

use std::fmt::Write;

/// A kind of channel in the table: its name, and the groups of scenarios that it is not in, with the reasons.
pub type Column = (&'static str, &'static [(&'static str, &'static str)]);

macro_rules! groups {
    ($d:tt $($group:ident { $($scenario:ident)* })*) => {
        /// The tests of one kind, except for the groups that are named.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! column {
            ($d flavor:ty; $d except:tt) => {
                $(mod $group {
                    #[allow(unused_imports)]
                    use super::*;
                    $crate::cell!($group $d flavor; $d except);
                })*
            };
        }

        /// The tests of one kind for one group, if that is not named.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! cell {
            $(($group $d flavor:ty; [$group $d ($d others:ident)*]) => {};)*
            ($d group:ident $d flavor:ty; [$d other:ident $d ($d others:ident)*]) => {
                $crate::cell!($d group $d flavor; [$d ($d others)*]);
            };
            $(($group $d flavor:ty; []) => {
                $(#[test]
                fn $scenario() {
                    $crate::watched($crate::table::$group::$scenario::<$d flavor>);
                })*
            };)*
        }

        /// The groups, and the scenarios of each.
        pub const GROUPS: &[(&str, &[&str])] =
            &[$((stringify!($group), &[$(stringify!($scenario)),*])),*];
    };
}

groups! { $
    every {
        message_and_close
        message_for_a_receiver_that_looks
        timeouts_that_race_with_a_send
        timeouts
        sender_leaves
        receiver_leaves
        receiver_leaves_during_a_send
        both_leave_at_once
        ends_of_a_panicking_thread
        ends_that_move_between_threads
        forgotten_ends
        unparks_of_others
    }
    room {
        message_before_the_close
        unread_message
        unread_message_of_a_panicking_thread
        unread_message_when_both_leave
    }
    direct {
        there_at_once
        waker_that_panics
        nested_channels
        replaced_waker_sends
        waker_sends_to_a_receiver_that_leaves
    }
    unread {
        destructor_that_panics_among_others
        many_unread_messages
        destructor_that_uses_other_channels
        drops_the_sender
    }
    one_by_one {
        woken_once_for_each_message
    }
    queues {
        order
        every_kind_of_receive
        receiver_leaves_after_any_number
    }
    replacement {
        last_messages_arrive
        destructor_that_panics
        destructor_that_uses_the_channel
        sends_that_race_with_every_kind_of_receive
        each_wait_is_woken
        cancelled_wait
    }
    wakers {
        woken_by_a_message
        woken_by_a_close
        last_of_several_wakers
        panics_at_a_close
        destructor_that_panics
        blocks_at_a_close
    }
    reentrance {
        drops_its_receiver
        owns_its_receiver
        owns_the_sender
        passes_a_message_on
        passes_a_close_on
        gives_its_task_away
        polled_by_many_threads
        in_destructors_of_a_thread
    }
    cancellation {
        after_the_message
        replaced_waker_that_panics
    }
    cancellation_queues {
        again_and_again
        every_kind_of_receive_in_turns
    }
    forgetting {
        forgotten
        wake_up_that_is_used_up
    }
    consuming {
        cancelled_before_the_message
        cancelled_after_the_message
        cancelled_before_the_first_poll
    }
    readiness {
        message_and_close
        same_task_again
        thread_replaces_a_task
        cancelled_wait
        replaced_waker_that_panics
        wake_up_that_is_used_up
    }
    closing {
        thread_that_waits
        task_that_waits
        timeouts
        sender_owned_by_its_waker
        thread_replaces_a_task
        message_of_a_sender_that_waits
        waker_that_panics
        destructor_that_panics
        waker_that_owns_the_receiver
        wake_up_that_is_used_up
    }
    closing_one_by_one {
        task_that_sends_between_waits
    }
    closing_queues {
        all_is_dropped_before_the_close_is_seen
    }
    limited {
        capacity
        room_before_the_deadline
        full_and_closed
        task_woken_by_a_close
        cancelled_send
        sender_owned_by_its_waker
        every_kind_of_send
        receiver_leaves_in_the_middle
    }
    limited_direct {
        both_sides_in_one_thread
        task_woken_by_a_receive
    }
    buffered {
        every_receive_makes_room
        unread_message_sends
    }
    cloned_senders {
        messages_of_several
        last_one_closes
        threads_that_end
        two_wakers_panic_at_a_close
    }
    cloned_receivers {
        messages_for_several
        last_one_closes
        two_wakers_panic_at_a_close
        woken_one_after_the_other
        receivers_that_leave
        close_wakes_all
        woken_in_order
        woken_task_wakes_the_next
        message_taken_by_another
    }
    members {
        messages_and_closes
        timeouts_that_race_with_a_send
        task_that_waits
        last_of_several_wakers
        what_a_waker_may_do
        removed_member
        replaced_member
        wakers_from_before
        woken_by_a_change_of_members
        members_that_come_and_go
        dropped_set
    }
    selections {
        message_at_one_of_two
        close_of_one_of_two
        timeouts_that_race_with_a_send
        task_that_waits
        cancelled_task
    }
    selection_queues {
        messages_at_all
    }
    streams {
        look_after_a_poll
        woken_by_a_message_and_by_the_end
        look_and_wait
    }
    stream_queues {
        collected
    }
    sinks {
        receiver_leaves
    }
    sink_queues {
        sent_and_closed
        both_sides_in_one_task
    }
    executors {
        many_tasks_of_one_thread
        blocking_receive_in_a_task
    }
    ending_threads {
        receive
        send
        task
    }
    bounded_streams {
        look_after_a_poll
        sends_that_are_given_up
        woken_by_each_way_to_make_room
    }
    offers {
        withdrawn_again_and_again
        seen_by_a_sender_without_time
        seen_on_a_busy_core
    }
    waiting_senders {
        served_in_order
        cancelled_in_the_line
        waker_that_panics_in_a_receive
        wakers_that_panic_at_a_close
        waker_whose_destructor_panics
        waker_that_sends
        threads_and_tasks_at_a_close
        every_kind_of_send_of_several
    }
    batches {
        every_kind_of_batch
        receiver_leaves_during_sends
        close_drops_a_waker
    }
    budget {
        receive_costs_one
        wait_costs_nothing
        receive_gives_way
    }
}

/// Makes a test of each kind of channel and each scenario: `stream::queues::order`. For each kind, the groups
/// are named that it is not in, with the reason.
#[macro_export]
macro_rules! table {
    ($($name:ident: $flavor:ty { $($($group:ident)+ $reason:literal),* $(,)? })*) => {
        $(mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::column!($flavor; [$($($group)+)*]);
        })*

        /// What is tested for which kind of channel.
        const TABLE: &[$crate::table::Column] =
            &[$((stringify!($name), &[$($((stringify!($group), $reason)),+),*])),*];
    };
}

/// Asserts that a README has the table. With `BLESS=1` in the environment, the README is written anew.
pub fn assert_in_readme(table: &[Column], path: &str) {
    const BEGIN: &str = "<!-- the table -->\n";
    let readme = std::fs::read_to_string(path).expect("there is a README");
    let (before, written) = readme.split_once(BEGIN).expect("the place of the table is marked");
    let now = markdown(table);
    println!("{now}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}\n{now}")).expect("the README can be written");
    } else {
        assert_eq!(written.trim(), now.trim(), "the table has changed: run this test with BLESS=1");
    }
}

/// The table as text: a row for each scenario, a column for each kind, and below it the reasons for the empty
/// cells.
fn markdown(table: &[Column]) -> String {
    let mut text = String::from("| |");
    for (name, except) in table {
        for (group, _) in *except {
            assert!(
                GROUPS.iter().any(|(known, _)| known == group),
                "`{name}` names `{group}`, which is none"
            );
        }
        write!(text, " {} |", name.replace('_', " ")).expect("a string has room");
    }
    text.push_str("\n|---|");
    text.extend(table.iter().map(|_| ":-:|"));
    let mut reasons = Vec::new();
    for (group, scenarios) in GROUPS {
        let marks: Vec<_> = table.iter().map(|column| mark(column, group, &mut reasons)).collect();
        // A group in which no kind is needs one row.
        let is_in = marks.iter().any(|mark| mark == "x");
        for scenario in if is_in { scenarios } else { &["all"][..] } {
            write!(text, "\n| {group}: {} |", scenario.replace('_', " ")).expect("a string has room");
            text.extend(marks.iter().map(|mark| format!(" {mark} |")));
        }
    }
    text.push('\n');
    for (number, reason) in reasons.iter().enumerate() {
        write!(text, "\n{}. {reason}", number + 1).expect("a string has room");
    }
    text.push('\n');
    text
}

/// A cross, or the number of the reason.
fn mark((_, except): &Column, group: &str, reasons: &mut Vec<&'static str>) -> String {
    let Some((_, reason)) = except.iter().find(|(named, _)| *named == group) else { return "x".to_owned() };
    let known = reasons.iter().position(|known| known == reason).unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    });
    (known + 1).to_string()
}
