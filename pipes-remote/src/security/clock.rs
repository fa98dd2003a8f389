//! The time by which certificates are checked.

use rustls::pki_types::UnixTime;
use rustls::time_provider::TimeProvider;
use std::time::{SystemTime, UNIX_EPOCH};

/// The system's clock. If it is set to a time before 1970, this returns 1970, where the clock of rustls
/// panics.
#[derive(Debug)]
pub(super) struct SystemClock;

impl TimeProvider for SystemClock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(unix_time(SystemTime::now()))
    }
}

fn unix_time(now: SystemTime) -> UnixTime {
    UnixTime::since_unix_epoch(now.duration_since(UNIX_EPOCH).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::security::{Identity, Security, Trust, pem};
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
    use rustls::{CertificateError, ClientConnection, Error, ServerConnection};
    use std::sync::Arc;
    use std::time::Duration;

    /// A clock with a fixed time.
    #[derive(Debug)]
    struct Says(UnixTime);

    impl TimeProvider for Says {
        fn current_time(&self) -> Option<UnixTime> {
            Some(self.0)
        }
    }

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// Returns the result of the client for a handshake at this time.
    fn handshake(client: &Security, server: &Security, host: &str, now: SystemTime) -> Result<(), Error> {
        let clock = Arc::new(Says(unix_time(now)));
        let address = format!("{host}:7000");
        let (config, name, _) = client.client_at(&address, clock.clone()).expect("it trusts someone");
        let mut client = ClientConnection::new(Arc::new(config), name).expect("it can begin");
        let server = server.server_at(clock).expect("it has an identity");
        let (config, _) = server.config().expect("it has an identity");
        let mut server = ServerConnection::new(config).expect("it can begin");
        let mut bytes = Vec::new();
        while client.is_handshaking() || server.is_handshaking() {
            bytes.clear();
            client.write_tls(&mut bytes).expect("there is room");
            server.read_tls(&mut &*bytes).expect("there is room");
            server.process_new_packets()?;
            bytes.clear();
            while server.wants_write() {
                server.write_tls(&mut bytes).expect("there is room");
            }
            let mut bytes = &*bytes;
            while !bytes.is_empty() {
                client.read_tls(&mut bytes).expect("there is room");
                client.process_new_packets()?;
            }
        }
        Ok(())
    }

    #[test]
    fn a_clock_before_1970_says_1970() {
        for before in [Duration::from_nanos(1), DAY, 200 * 365 * DAY] {
            assert_eq!(unix_time(UNIX_EPOCH - before), UnixTime::since_unix_epoch(Duration::ZERO));
        }
        assert_eq!(unix_time(UNIX_EPOCH + DAY), UnixTime::since_unix_epoch(DAY));
        assert!(SystemClock.current_time() > Some(unix_time(UNIX_EPOCH + 50 * 365 * DAY)));
    }

    #[test]
    fn a_new_identity_is_trusted_by_its_fingerprint_at_any_time() {
        let (server, client) =
            [(); 2].map(|()| Identity::generate().expect("there are random numbers")).into();
        let [here, there] = [(&server, &client), (&client, &server)].map(|(own, other)| {
            let trust = Trust::fingerprint(other.fingerprint());
            Security::new().identity(own).servers(trust.clone()).clients(trust)
        });
        for now in [UNIX_EPOCH - DAY, UNIX_EPOCH, UNIX_EPOCH + DAY, UNIX_EPOCH + 2000 * 365 * DAY] {
            assert_eq!(handshake(&there, &here, "any", now), Ok(()), "{now:?}");
        }
    }

    /// A machine whose clock is not set yet trusts the fingerprint of any certificate.
    #[test]
    fn a_fingerprint_is_trusted_until_its_certificate_expires() {
        let mut params = CertificateParams::new([String::from("pipes")]).expect("it is a name");
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2030, 1, 1);
        let key = KeyPair::generate().expect("there are random numbers");
        let certificate = params.self_signed(&key).expect("it can be signed");
        let text = pem::section("CERTIFICATE", certificate.der())
            + &pem::section("PRIVATE KEY", &key.serialize_der());
        let own = Identity::from_pem(text.as_bytes()).expect("it is an identity");
        let client = Security::new().servers(Trust::fingerprint(own.fingerprint()));
        let server = Security::new().identity(&own);
        for now in [UNIX_EPOCH - DAY, UNIX_EPOCH, UNIX_EPOCH + 55 * 365 * DAY] {
            assert_eq!(handshake(&client, &server, "any", now), Ok(()), "{now:?}");
        }
        let late = handshake(&client, &server, "any", UNIX_EPOCH + 61 * 366 * DAY);
        assert_eq!(late, Err(Error::InvalidCertificate(CertificateError::Expired)));
    }

    /// Other programs check the dates.
    #[test]
    fn a_new_certificate_is_valid_from_1970() {
        let own = Identity::generate().expect("there are random numbers");
        let text = pem::section("CERTIFICATE", &own.chain()[0]);
        let trust = Trust::authority_from_pem(text.as_bytes()).expect("it can be read");
        let (client, server) = (Security::new().servers(trust), Security::new().identity(&own));
        for now in [UNIX_EPOCH - DAY, UNIX_EPOCH, UNIX_EPOCH + 2000 * 365 * DAY] {
            assert_eq!(handshake(&client, &server, crate::security::NAME, now), Ok(()), "{now:?}");
        }
    }

    #[test]
    fn a_certificate_of_an_authority_is_trusted_at_its_time() {
        let mut params = CertificateParams::new([]).expect("there are no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("random numbers"));
        let authority = authority.expect("it can be signed");
        let key = KeyPair::generate().expect("there are random numbers");
        let mut params = CertificateParams::new([String::from("bank.example")]).expect("it is a name");
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2030, 1, 1);
        let certificate = params.signed_by(&key, &authority).expect("it can sign");
        let text = pem::section("CERTIFICATE", certificate.der())
            + &pem::section("PRIVATE KEY", &key.serialize_der());
        let server = Security::new().identity(&Identity::from_pem(text.as_bytes()).expect("it is one"));
        let trust = Trust::authority_from_pem(pem::section("CERTIFICATE", authority.der()).as_bytes());
        let client = Security::new().servers(trust.expect("it is an authority"));
        let at =
            |year: u32| handshake(&client, &server, "bank.example", UNIX_EPOCH + (year - 1970) * 366 * DAY);
        assert_eq!(at(2025), Ok(()));
        for year in [1970, 2018] {
            let error = at(year).expect_err("it is too early");
            let is_early = |it: &CertificateError| matches!(it, CertificateError::NotValidYetContext { .. });
            assert!(matches!(&error, Error::InvalidCertificate(why) if is_early(why)), "{error:?}");
        }
        let error = at(2040).expect_err("it is too late");
        let is_late = |it: &CertificateError| matches!(it, CertificateError::ExpiredContext { .. });
        assert!(matches!(&error, Error::InvalidCertificate(why) if is_late(why)), "{error:?}");
    }
}
