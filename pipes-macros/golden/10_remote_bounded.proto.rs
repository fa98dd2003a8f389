#[remote(version = 2, schema)]
parcel { sending: send { parcel(u8, String) -> ! } }
