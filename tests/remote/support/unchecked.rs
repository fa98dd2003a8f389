//! Postcard without the check of debug builds.

use pipes::remote::Carries;
use pipes::remote::Fault;
use pipes_remote::{Codec, Postcard};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Postcard, which decodes a payload only where it has arrived, in debug builds, too.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked;

impl Codec for Unchecked {
    const NAME: &'static str = Postcard::NAME;
}

impl<T: Serialize + DeserializeOwned> Carries<T> for Unchecked {
    fn put(&self, payload: &T, out: &mut Vec<u8>) -> Result<(), Fault> {
        let bytes = postcard::to_stdvec(payload).map_err(|error| Fault::Unencodable(error.to_string()))?;
        out.extend(bytes);
        Ok(())
    }

    fn get(&self, bytes: &[u8]) -> Result<T, Fault> {
        Postcard.get(bytes)
    }
}
