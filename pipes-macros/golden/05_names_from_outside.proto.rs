/// Payloads whose types have the names of generated ones.
pub echo<T> {
    string: send { string(String, Vec<Option<T>>) -> option }
    option: recv { client(Client) -> string, up(super::Key, self::Key) -> string }
}
