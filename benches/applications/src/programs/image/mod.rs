//! Filters over pictures: what a program about them needs.
#![allow(dead_code)]
mod decode;
mod filters;
mod folder;
mod jpeg;
mod pictures;
