//! Names: ordinary ones, and ones that could be mistaken for something else.

use fastrand::Rng;

/// A name, as it is written and as the macro generates it.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub written: &'static str,
    /// The name of a state's type or of a message's variant.
    pub ty: &'static str,
    /// The name of a message's method.
    pub method: &'static str,
}

const fn name(written: &'static str, ty: &'static str, method: &'static str) -> Name {
    Name { written, ty, method }
}

/// Ordinary names.
const PLAIN: [Name; 14] = [
    name("a", "A", "a"),
    name("b2", "B2", "b2"),
    name("Begin", "Begin", "begin"),
    name("offer", "Offer", "offer"),
    name("log_in", "LogIn", "log_in"),
    name("GetCount", "GetCount", "get_count"),
    name("part_1", "Part1", "part_1"),
    name("_odd", "Odd", "_odd"),
    name("HTTP", "HTTP", "http"),
    name("more", "More", "more"),
    name("v1_2", "V1_2", "v1_2"),
    name("x_y_z", "XYZ", "x_y_z"),
    name("answerOK", "AnswerOK", "answer_ok"),
    name("done", "Done", "done"),
];

/// Names of types, including those of payloads and of what the generated code uses.
const TYPES: [Name; 18] = [
    name("counted", "Counted", "counted"),
    name("padded", "Padded", "padded"),
    name("nothing", "Nothing", "nothing"),
    name("option", "Option", "option"),
    name("Result", "Result", "result"),
    name("some", "Some", "some"),
    name("none", "None", "none"),
    name("ok", "Ok", "ok"),
    name("Err", "Err", "err"),
    name("vec", "Vec", "vec"),
    name("Box", "Box", "r#box"),
    name("string", "String", "string"),
    name("state", "State", "state"),
    name("endpoint", "Endpoint", "endpoint"),
    name("send_error", "SendError", "send_error"),
    name("default", "Default", "default"),
    name("port_one", "PortOne", "port_one"),
    name("copy", "Copy", "copy"),
];

/// Names of methods, including the verbs.
const METHODS: [Name; 16] = [
    name("recv", "Recv", "recv"),
    name("try_recv", "TryRecv", "try_recv"),
    name("recv_async", "RecvAsync", "recv_async"),
    name("ready", "Ready", "ready"),
    name("is_ready", "IsReady", "is_ready"),
    name("poll_ready", "PollReady", "poll_ready"),
    name("wait", "Wait", "wait"),
    name("send", "Send", "send"),
    name("from", "From", "from"),
    name("into", "Into", "into"),
    name("into_future", "IntoFuture", "into_future"),
    name("Drop", "Drop", "drop"),
    name("fmt", "Fmt", "fmt"),
    name("Move", "Move", "r#move"),
    name("r#type", "Type", "r#type"),
    name("finish", "Finish", "finish"),
];

/// Names of fields, including those of variables in the generated code.
pub const FIELDS: [&str; 10] =
    ["user", "next", "payload", "payload1", "f", "endpoint", "client", "server", "error", "r#in"];

/// `count` distinct names of states.
pub fn states(count: usize, random: &mut Rng) -> Vec<Name> {
    let odd = random.u64(..3) == 0;
    pick(count, &if odd { [&PLAIN[..], &TYPES[..]].concat() } else { PLAIN.to_vec() }, random)
}

/// `count` distinct names of messages.
pub fn messages(count: usize, random: &mut Rng) -> Vec<Name> {
    let odd = random.u64(..3) == 0;
    pick(count, &if odd { [&TYPES[..], &METHODS[..]].concat() } else { PLAIN.to_vec() }, random)
}

/// `count` distinct elements of `from`.
pub fn pick<T: Copy>(count: usize, from: &[T], random: &mut Rng) -> Vec<T> {
    let mut left = from.to_vec();
    (0..count).map(|_| left.swap_remove(random.usize(..left.len()))).collect()
}
