//! Names of types without their paths.

/// The endpoints of protocols. The module before such a name is the protocol.
const ENDPOINTS: [&str; 6] =
    ["Client", "Server", "AnyClient", "AnyServer", "ReceivingClient", "ReceivingServer"];

/// Returns the name of a type without the paths in it: `Vec<Order>` for `alloc::vec::Vec<shop::Order>`. Of an
/// endpoint, the protocol stays: `bank::Client<Login>`.
pub(super) fn without_paths(name: &str) -> String {
    let is_of_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let mut short = String::with_capacity(name.len());
    let mut rest = name;
    while !rest.is_empty() {
        let end = rest.find(|letter| !is_of_path(letter)).unwrap_or(rest.len());
        let (path, behind) = rest.split_at(end);
        short.push_str(last_of(path));
        let mut letters = behind.chars();
        short.extend(letters.next());
        rest = letters.as_str();
    }
    short
}

/// Returns the last name of a path, or the last two if it is that of an endpoint.
fn last_of(path: &str) -> &str {
    // A path that begins with `::` stands behind a type, as in `<A as B>::C`.
    let Some((before, last)) = path.rsplit_once("::").filter(|(before, _)| !before.is_empty()) else {
        return path;
    };
    let protocol = before.rsplit("::").next().unwrap_or(before);
    if ENDPOINTS.contains(&last) {
        &path[path.len() - protocol.len() - "::".len() - last.len()..]
    } else {
        last
    }
}

#[cfg(test)]
mod tests {
    use super::without_paths;

    #[test]
    fn paths_are_left_out() {
        let cases = [
            ("u32", "u32"),
            ("alloc::vec::Vec<shop::order::Order>", "Vec<Order>"),
            ("(alloc::string::String, &[core::option::Option<u8>])", "(String, &[Option<u8>])"),
            ("bank::Login<alloc::string::String, u8>", "Login<String, u8>"),
            ("fn(a::B) -> c::D", "fn(B) -> D"),
            ("dyn a::B + core::marker::Send", "dyn B + Send"),
            ("a::f::{{closure}}", "{{closure}}"),
            ("<a::B as c::D>::E", "<B as D>::E"),
            ("pipes::Port<shop::bank::Server<shop::bank::Login>>", "Port<bank::Server<Login>>"),
            ("", ""),
        ];
        for (name, short) in cases {
            assert_eq!(without_paths(name), short);
        }
    }
}
