//! Files with identities, and what is said of those that have none.

use pipes_remote::security::{Identity, Trust};
use pipes_remote_tests::engines::new;
use rcgen::{CertificateParams, KeyPair};
use std::io;

#[test]
fn an_identity_is_kept_in_a_file_that_only_its_owner_reads() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("server.pem");
    let first = Identity::kept_in(&file).expect("it can be written");
    let again = Identity::kept_in(&file).expect("it can be read");
    assert_eq!(first.fingerprint(), again.fingerprint());
    assert_ne!(first.fingerprint(), new().fingerprint());
    #[cfg(unix)]
    {
        let rights =
            std::os::unix::fs::PermissionsExt::mode(&file.metadata().expect("it is there").permissions());
        assert_eq!(rights & 0o777, 0o600);
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 1);
    assert_eq!(first.write(&file).err().map(|error| error.kind()), Some(io::ErrorKind::AlreadyExists));
    // The secret is not printed.
    assert_eq!(format!("{first:?}"), format!("Identity(Fingerprint({}))", first.fingerprint()));
}

/// A certificate, and the key that it belongs to, in PEM with line ends of one byte on every system.
fn certified() -> (String, String) {
    let key = KeyPair::generate().expect("there are random numbers");
    let params = CertificateParams::new([String::from("pipes")]).expect("it is a name");
    let certificate = params.self_signed(&key).expect("it can be signed").pem();
    (certificate.replace('\r', ""), key.serialize_pem().replace('\r', ""))
}

#[test]
fn what_is_no_identity_is_said_with_its_file() {
    let folder = tempfile::tempdir().expect("there is room");
    let (certificate, key) = certified();
    let (whole, (other, _)) = (format!("{certificate}{key}"), certified());
    let with = |key: &str| format!("{certificate}{key}").into_bytes();
    let utf_16 = || [0xff, 0xfe].into_iter().chain(whole.bytes().flat_map(|byte| [byte, 0])).collect();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "it is empty"),
        (b"\xef\xbb\xbf\n".into(), "it is empty"),
        (b"secret".into(), "it is not in PEM"),
        (vec![0x30, 0x82, 0x01, 0x00], "it is binary, perhaps DER or PKCS #12"),
        (utf_16(), "it is text in UTF-16"),
        (certificate.clone().into(), "it has no section PRIVATE KEY, only CERTIFICATE"),
        (key.clone().into(), "it has no section CERTIFICATE, only PRIVATE KEY"),
        (
            whole.replace(" CERTIFICATE", " CERTIFICATE REQUEST").into(),
            "it has no section CERTIFICATE, only CERTIFICATE REQUEST, PRIVATE KEY",
        ),
        (whole.trim_end()[..whole.trim_end().len() - 30].into(), "it is cut off"),
        (with("-----BEGIN PRIVA"), "it is cut off, or lacks line breaks"),
        (whole.replace("\n", "\n  ").into(), "it is cut off: no line of it is `-----END CERTIFICATE-----`"),
        (format!("  {}", whole.replace('\n', "\n  ")).into(), "must be a line of its own, not indented"),
        (whole.replace('\n', "").into(), "lacks line breaks"),
        (format!("{}{key}", certificate.trim_end()).into(), "lacks line breaks"),
        (format!("{}{certificate}", key.trim_end()).into(), "lacks line breaks"),
        (whole.replace('\n', "\\n").into(), "lacks line breaks"),
        (with(&key.replace('\n', "")), "lacks line breaks"),
        (with(&key.replace('\n', "\\n")), "lacks line breaks"),
        (with(&key.replacen('M', "!", 1)), "a section of it is damaged"),
        (format!("{other}{key}").into(), "its private key does not belong to its first certificate"),
        (
            b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
                .iter()
                .copied()
                .chain(key.bytes())
                .collect(),
            "its first certificate cannot be read",
        ),
        (
            with("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
            "its private key is of another kind; only RSA, P-256, P-384 and Ed25519 can be used",
        ),
        (with(include_str!("keys/encrypted.pem")), "its private key is encrypted"),
        (with(include_str!("keys/encrypted-pkcs1.pem")), "its private key is encrypted"),
        (with(include_str!("keys/rsa-1024.pem")), "its private key is of RSA with fewer than 2048 bits"),
        (
            with(include_str!("keys/rsa-1024-pkcs1.pem")),
            "its private key is of RSA with fewer than 2048 bits",
        ),
        (with(include_str!("keys/rsa-pss.pem")), "its private key is of RSA-PSS"),
        (with(include_str!("keys/p-521.pem")), "its private key is of P-521; only"),
        (with(include_str!("keys/p-521-sec1.pem")), "its private key is of P-521; only"),
        (with(include_str!("keys/secp256k1.pem")), "its private key is of secp256k1; only"),
        (with(include_str!("keys/ed448.pem")), "its private key is of Ed448; only"),
    ];
    let secret = key.lines().nth(1).expect("it has lines");
    for (number, (text, told)) in cases.iter().enumerate() {
        let file = folder.path().join(number.to_string());
        std::fs::write(&file, text).expect("it can be written");
        let error = Identity::read(&file).expect_err(told);
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let error = error.to_string();
        assert!(error.starts_with(&format!("{}: ", file.display())), "{error}");
        assert!(error.contains(told), "{error}");
        assert!(!error.contains(secret), "the secret is not printed");
    }
    let file = folder.path().join("0");
    assert!(Identity::kept_in(&file).is_err());
    assert_eq!(std::fs::read(&file).expect("it is there"), b"", "it is not overwritten");
    let error = Identity::read(folder.path()).expect_err("it is a folder").to_string();
    assert!(error.contains("it cannot be read: "), "{error}");
}

#[test]
fn an_identity_is_read_in_whatever_form_its_file_has() {
    let (certificate, key) = certified();
    let whole = format!("{certificate}{key}");
    let expected = Identity::from_pem(whole.as_bytes()).expect("it is one").fingerprint();
    for text in [
        format!("\u{feff}{whole}"),
        format!("\u{feff}# a comment\n{whole}"),
        format!("{key}{certificate}"),
        format!("Bag Attributes\n  localKeyID: 01\n{whole}\nmore words\n"),
        whole.replace('\n', "\r\n"),
        whole.replace('\n', "  \n"),
        whole.trim_end().to_owned(),
        // The first key counts.
        format!("{whole}{}", certified().1),
    ] {
        assert_eq!(Identity::from_pem(text.as_bytes()).expect(&text).fingerprint(), expected);
    }
}

/// An authority's file may have its key in it, in whatever form.
#[test]
fn what_is_no_authority_is_said_with_its_file() {
    let folder = tempfile::tempdir().expect("there is room");
    let (certificate, key) = certified();
    let file = folder.path().join("authority.pem");
    for (text, told) in [
        (String::new(), "it is empty"),
        (key, "it has no section CERTIFICATE, only PRIVATE KEY"),
        (certificate[..certificate.len() / 2].to_owned(), "it is cut off"),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_owned(),
            "a certificate of it cannot be read",
        ),
    ] {
        std::fs::write(&file, text).expect("it can be written");
        let error = Trust::authority(&file).expect_err(told).to_string();
        assert!(error.starts_with(&format!("{}: {told}", file.display())), "{error}");
    }
    let both = format!("\u{feff}{certificate}{}", include_str!("keys/encrypted.pem"));
    assert!(Trust::authority_from_pem(both.as_bytes()).is_ok());
}
