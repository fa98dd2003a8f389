//! `try_iter` of a stream whose sender sends more while the values are taken: these must be taken as well, as
//! the documentation says.

use pipes::stream;

#[test]
fn values_that_come_meanwhile() {
    let (mut chan, mut port) = stream();
    chan.send(0).expect("the port is there");
    let mut count = 0;
    for number in port.try_iter().take(1000) {
        chan.send(number + 1).expect("the port is there");
        count += 1;
    }
    assert_eq!(count, 1000);
}
