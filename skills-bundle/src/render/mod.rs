//! stub
use skills_core::source::finding::Finding;
/// x
pub fn one(f:&Finding)->String{f.to_string()}
/// x
pub fn concise(f:&[Finding])->String{f.iter().map(|f|format!("{f}\n")).collect()}
