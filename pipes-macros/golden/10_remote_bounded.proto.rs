/// A number that is guessed.
#[remote(version = 2, schema)]
pub game {
    guessing: send { guess(u32) -> answer, give_up -> ! }
    answer: recv { wrong(lower: bool, left: u8) -> guessing, right -> ! }
}
