//! Where the processes listen, and how they reach each other.

use crate::secured::{MARK, Secured};
use crate::sides::failed;
use pipes::remote::Fingerprint;
use pipes_remote::engine::{Engine, Tcp, Unix, Ws};
use pipes_remote::security::{Identity, Security, Trust};
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// Where a process listens.
pub struct Place<E> {
    /// The engine there.
    pub engine: E,
    /// What others need to reach it.
    pub address: String,
    /// What it shows to others.
    identity: Option<Identity>,
    /// What keeps the address.
    _folder: Option<TempDir>,
}

impl<E> Place<E> {
    fn new(engine: E, address: impl Into<String>) -> Place<E> {
        Place { engine, address: address.into(), identity: None, _folder: None }
    }
}

/// An engine between the processes.
pub trait Wire: Engine + Sized {
    /// A free place on this machine.
    fn free() -> io::Result<Place<Self>>;

    /// The place of this one of the addresses, with the certificate in this file.
    fn named(addresses: &[String], rank: usize, identity: Option<&Path>) -> io::Result<Place<Self>>;

    /// How a process that listens here reaches this address.
    fn there(here: &Place<Self>, address: &str) -> io::Result<Self>;
}

impl Wire for Tcp {
    fn free() -> io::Result<Place<Tcp>> {
        let engine = Tcp::free_port()?;
        let address = engine.address();
        Ok(Place::new(engine, address))
    }

    fn named(addresses: &[String], rank: usize, _: Option<&Path>) -> io::Result<Place<Tcp>> {
        // The address is on the command line, so others are meant to reach it.
        Ok(Place::new(Tcp::exposed(&addresses[rank]), &addresses[rank]))
    }

    fn there(_: &Place<Tcp>, address: &str) -> io::Result<Tcp> {
        Ok(Tcp::new(address))
    }
}

impl Wire for Ws {
    fn free() -> io::Result<Place<Ws>> {
        let engine = Ws::free_port()?;
        let address = engine.address();
        Ok(Place::new(engine, address))
    }

    fn named(addresses: &[String], rank: usize, _: Option<&Path>) -> io::Result<Place<Ws>> {
        Ok(Place::new(Ws::exposed(&addresses[rank]), &addresses[rank]))
    }

    fn there(_: &Place<Ws>, address: &str) -> io::Result<Ws> {
        Ok(Ws::new(address))
    }
}

impl Wire for Unix {
    fn free() -> io::Result<Place<Unix>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("socket");
        let address = path.to_string_lossy();
        Ok(Place { _folder: Some(folder), ..Place::new(Unix::new(&path), address) })
    }

    fn named(addresses: &[String], rank: usize, _: Option<&Path>) -> io::Result<Place<Unix>> {
        Ok(Place::new(Unix::new(&addresses[rank]), &addresses[rank]))
    }

    fn there(_: &Place<Unix>, address: &str) -> io::Result<Unix> {
        Ok(Unix::new(address))
    }
}

impl<E: Secured> Wire for E {
    fn free() -> io::Result<Place<E>> {
        let identity = Identity::generate()?;
        let engine = E::free(Security::new().identity(&identity))?;
        let address = format!("{}{MARK}{}", engine.address(), identity.fingerprint());
        Ok(Place { identity: Some(identity), ..Place::new(engine, address) })
    }

    fn named(addresses: &[String], rank: usize, identity: Option<&Path>) -> io::Result<Place<E>> {
        let file = identity.ok_or_else(|| io::Error::other("no file for a certificate is named"))?;
        let identity = Identity::kept_in(file)?;
        let all = addresses.iter().map(|address| fingerprint(address)).collect::<Result<Vec<_>, _>>();
        let all = all.map_err(failed)?;
        let security = Security::new().identity(&identity).clients(Trust::fingerprints(all));
        let (address, _) = addresses[rank].split_once(MARK).unwrap_or_default();
        Ok(Place { identity: Some(identity), ..Place::new(E::at(address, security), &addresses[rank]) })
    }

    fn there(here: &Place<E>, address: &str) -> io::Result<E> {
        let mut security = Security::new().servers(Trust::fingerprint(fingerprint(address).map_err(failed)?));
        if let Some(identity) = &here.identity {
            security = security.identity(identity);
        }
        let (address, _) = address.split_once(MARK).unwrap_or_default();
        Ok(E::at(address, security))
    }
}

/// The fingerprint behind an address.
fn fingerprint(address: &str) -> Result<Fingerprint, String> {
    let (_, mark) = address.split_once(MARK).unwrap_or_default();
    mark.parse().map_err(|_| format!("`{address}` is not ADDRESS{MARK}FINGERPRINT"))
}

/// Says what is wrong with these addresses, each of which needs a fingerprint; that of this rank is the one
/// of the certificate in this file.
pub fn check(addresses: &[String], rank: usize, file: &Path) -> Result<(), String> {
    let own = Identity::kept_in(file).map_err(|error| format!("{}: {error}", file.display()))?.fingerprint();
    let known = |address: &String| fingerprint(address);
    let all: Result<Vec<_>, _> = addresses.iter().map(known).collect();
    let theirs = format!("the fingerprint of {} is {own}", file.display());
    match all {
        Err(problem) => Err(format!("{problem}; {theirs}")),
        Ok(all) if all[rank] != own => Err(format!("{theirs}, and not that of `{}`", addresses[rank])),
        Ok(_) => Ok(()),
    }
}
