//! How many calls of `load_skill` a server over HTTP answers, and whether its memory grows.
//!
//! The servers take turns, each with the same clients for the same time, so what is compared ran close together. No
//! test asserts a time; the ratios are the result.

use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bench_harness::{markdown, run, stats};
use clap::Parser;
use serde_json::Value;

use client::Client;

mod client;

type Failure = Box<dyn Error + Send + Sync>;

/// Counts the answers of MCP servers over HTTP, and prints a table in Markdown
#[derive(Debug, Parser)]
struct Args {
    /// Turns of each server
    #[arg(long, default_value_t = 5)]
    rounds: usize,

    /// Seconds of each turn
    #[arg(long, default_value_t = 5)]
    seconds: u64,

    /// Connections at a time
    #[arg(long, default_value_t = 16)]
    connections: usize,

    /// A Python with the package `fastmcp`; without it, that server is left out
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,

    /// Requests after which the memory is looked at again; a sixth of them are `initialize`
    #[arg(long, default_value_t = 120_000)]
    requests: usize,

    /// Write the report to FILE too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// A server that runs, and what was measured of it.
struct Server {
    title: &'static str,
    child: Child,
    address: SocketAddr,
    /// Answers per second, of each turn.
    rates: Vec<f64>,
    /// The 99th percentile of the times of each turn, in milliseconds.
    slowest: Vec<f64>,
}

impl Server {
    /// Starts a program that prints its address first.
    fn start(title: &'static str, mut command: Command) -> Result<Self, Failure> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no stdout")?).read_line(&mut line)?;
        Ok(Self { title, child, address: line.trim().parse()?, rates: Vec::new(), slowest: Vec::new() })
    }

    /// Starts FastMCP at a free port, and waits until it answers.
    fn fastmcp(python: &Path, texts: &Path) -> Result<Self, Failure> {
        let address = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/served_by_fastmcp.py");
        let child = Command::new(python).arg(script).arg(texts).arg(address.port().to_string()).spawn()?;
        let server = Self {
            title: "FastMCP, 1,000 skills in memory",
            child,
            address,
            rates: Vec::new(),
            slowest: Vec::new(),
        };
        for _ in 0..200 {
            if Client::new(address).is_ok() {
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err("FastMCP doesn't answer".into())
    }

    /// One turn: all connections call one after another, for some time.
    fn turn(&mut self, args: &Args, names: &[&str]) -> Result<(), Failure> {
        let (address, end) = (self.address, Instant::now() + Duration::from_secs(args.seconds));
        let started = Instant::now();
        let times = std::thread::scope(|scope| {
            let clients: Vec<_> = (0..args.connections)
                .map(|number| {
                    scope.spawn(move || {
                        let mut client = Client::new(address)?;
                        let mut times = Vec::new();
                        let mut at = number * 61;
                        while Instant::now() < end {
                            let request = client::load(address, names[at % names.len()]);
                            let started = Instant::now();
                            check(client.ask(&request)?)?;
                            times.push(started.elapsed().as_secs_f64() * 1e3);
                            at += 1;
                        }
                        Ok::<_, Failure>(times)
                    })
                })
                .collect();
            let mut all = Vec::new();
            for client in clients {
                all.extend(client.join().map_err(|_| "a client panicked")??);
            }
            Ok::<_, Failure>(all)
        });
        let mut times = times?;
        let took = started.elapsed().as_secs_f64();
        times.sort_by(f64::total_cmp);
        self.rates.push(times.len() as f64 / took);
        self.slowest.push(times[(times.len() - 1) * 99 / 100]);
        Ok(())
    }

    /// How much memory it has after a warm-up and after many requests, in MiB; `None` where the system doesn't say.
    fn memory(&self, requests: usize, names: &[&str]) -> Result<Option<(f64, f64)>, Failure> {
        let mut client = Client::new(self.address)?;
        let hello = client::hello(self.address);
        let mut ask = |times: usize| {
            for at in 0..times {
                if at % 6 == 0 {
                    client.ask(&hello)?;
                } else {
                    client.ask(&client::load(self.address, names[at % names.len()]))?;
                }
            }
            Ok::<_, Failure>(())
        };
        ask(requests / 20)?;
        let before = run::resident(self.child.id());
        ask(requests)?;
        Ok(before.zip(run::resident(self.child.id())))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer that isn't a skill would be counted as a fast one.
fn check(body: &[u8]) -> Result<(), Failure> {
    let answer: Value = serde_json::from_slice(body)?;
    match answer["result"]["content"][0]["text"].as_str() {
        Some(text) if text.len() > 500 && answer["result"]["isError"] != true => Ok(()),
        _ => Err(format!("this is no skill: {answer}").into()),
    }
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let beside = std::env::current_exe()?;
    let program = |name: &str| Command::new(beside.with_file_name(name));
    if !beside.with_file_name("constant").is_file() || !beside.with_file_name("thousand-http").is_file() {
        let how = "cargo build --release --manifest-path benches/mcp-http/Cargo.toml";
        return Err(format!("the servers are not built: `{how}`").into());
    }
    let names: Vec<&str> = bundle_1000::SKILLS.skills().map(|skill| skill.name()).collect();
    let work = tempfile::tempdir()?;
    let root = work.path().join("skills");
    let mut texts = serde_json::Map::new();
    for skill in bundle_1000::SKILLS.skills() {
        for file in skill.files() {
            let path = root.join(skill.name()).join(file.path());
            std::fs::create_dir_all(path.parent().ok_or("a file is in a directory")?)?;
            std::fs::write(path, file.bytes().unwrap_or_default())?;
        }
        let text = skills::Registry::new(&bundle_1000::SKILLS)
            .load(skill.name())
            .map_err(|error| error.to_string())?;
        texts.insert(skill.name().to_owned(), text.text().into());
    }
    let file = work.path().join("skills.json");
    std::fs::write(&file, Value::Object(texts).to_string())?;
    let mut live = program("thousand-http");
    live.arg(&root);
    let mut servers = vec![
        Server::start("minimal `rmcp`, a constant", program("constant"))?,
        Server::start("1,000 bundled skills", program("thousand-http"))?,
        Server::start("1,000 skills of a root", live)?,
    ];
    if let Some(python) = &args.python {
        servers.push(Server::fastmcp(python, &file)?);
    }
    for round in 0..args.rounds {
        let count = servers.len();
        for turn in 0..count {
            servers[(round + turn) % count].turn(&args, &names)?;
        }
    }
    let mut memory = Vec::new();
    for server in &servers[1..3] {
        memory.push((server.title, server.memory(args.requests, &names)?));
    }
    markdown::publish(&report(&args, &servers, &memory), args.write.as_deref())
        .map_err(|error| error.to_string())?;
    Ok(())
}

/// The memory of a server before and after many requests, in MiB, if the system says.
type Memory = Option<(f64, f64)>;

fn report(args: &Args, servers: &[Server], memory: &[(&str, Memory)]) -> String {
    let mut text = format!(
        "# How many calls a server over HTTP answers\n\n- Calls: `load_skill` of 1,000 skills in turn, {} connections, \
         {} turns of {} s for each server; cells are medians\n\n\
         | server | calls/s | ratio | p99, ms |\n| --- | ---: | ---: | ---: |\n",
        args.connections, args.rounds, args.seconds,
    );
    let rate = |at: usize| servers.get(at).map(|server| server.rates.as_slice());
    for (at, server) in servers.iter().enumerate() {
        let ratio = rate(at).zip(rate(0)).and_then(|(ours, theirs)| stats::ratio(ours, theirs));
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            server.title,
            markdown::cell(stats::median(&server.rates), 0),
            markdown::cell(ratio, 2),
            markdown::cell(stats::median(&server.slowest), 2),
        ));
    }
    let ratio =
        |ours: usize, theirs: usize| rate(ours).zip(rate(theirs)).and_then(|(a, b)| stats::ratio(a, b));
    text.push('\n');
    for (what, found, least) in [
        ("bundled, of the minimal server", ratio(1, 0), 0.8),
        ("root, of bundled", ratio(2, 1), 0.7),
        ("bundled, of FastMCP", ratio(1, 3), 10.0),
    ] {
        let kept = match found {
            Some(found) if found >= least => "kept",
            Some(_) => "NOT kept",
            None => "not measured",
        };
        text.push_str(&format!(
            "- {what}: {}, promised at least {least}: {kept}\n",
            markdown::cell(found, 2)
        ));
    }
    for (title, memory) in memory {
        let Some((before, after)) = memory else { continue };
        text.push_str(&format!(
            "\nMemory of the server with {title}: {before:.1} MiB, and {after:.1} MiB after {} more requests, a sixth of \
             them `initialize`.\n",
            args.requests
        ));
    }
    text
}
