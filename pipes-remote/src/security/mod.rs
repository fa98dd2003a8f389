//! Who is at the other end, proved by certificates.
//!
//! A side that shows a certificate has an [`Identity`]: a secret key, and the certificate that belongs to it.
//! The other side [`Trust`]s some certificates: those with a known [`Fingerprint`], or those that an
//! authority has signed. [`Security`] is both, for one address.
//!
//! The easy way needs no authority. The server makes an identity once, keeps it in a file, and shows its
//! fingerprint; each client names that fingerprint. A man in the middle has another key, so another
//! fingerprint, and is refused.
//!
//! ```
//! use pipes_remote::security::{Identity, Security, Trust};
//!
//! pipes::proto! {
//!     #[remote]
//!     pub greeting { hello: send { hello(String) -> ! } }
//! }
//!
//! // The server, once; later it reads the file.
//! let folder = std::env::temp_dir().join(format!("greeting-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let identity = Identity::kept_in(folder.join("server.pem"))?;
//! println!("{}", identity.fingerprint());
//! let here = pipes_remote::tls_free_port(Security::new().identity(&identity))?;
//! let mut listener = greeting::listen(&here)?;
//!
//! // A client, which has the fingerprint from its configuration.
//! let known = identity.fingerprint().to_string();
//! let trusted = Security::new().servers(Trust::fingerprint(known.parse()?));
//! greeting::connect(&pipes_remote::tls(here.address(), trusted))?.hello("good morning".into())?;
//! let greeting::Hello::Hello(words) = listener.accept()?.recv()?;
//! assert_eq!(words, "good morning");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod fingerprint;
mod identity;
mod pem;
mod trust;

pub use self::config::Security;
pub(crate) use self::config::shown;
pub use self::fingerprint::{Fingerprint, NoFingerprint};
pub use self::identity::Identity;
pub use self::trust::Trust;

/// The name in certificates that stand for themselves. They are known by their fingerprint.
const NAME: &str = "pipes";
