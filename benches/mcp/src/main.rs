//! How soon a cold server answers: from the start of its process to the whole line of an answer.
//!
//! Both servers are started in turns, so what is compared ran close together. The first answer is that to
//! `initialize`, with which every session begins; after it each server is asked once for its tools, its
//! skills and a skill. No test asserts a time; the ratios are the result.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use bench_harness::{markdown, stats};
use clap::Parser;
use serde_json::{Value, json};

/// Times the first answers of two MCP servers, and prints a table in Markdown
#[derive(Debug, Parser)]
struct Args {
    /// Starts of each server
    #[arg(long, default_value_t = 300)]
    rounds: usize,

    /// Write the report to FILE too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// A server that runs.
struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Server {
    fn start(program: &Path) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to = child.stdin.take().ok_or("no stdin")?;
        let from = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        Ok(Self { child, to, from })
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Box<dyn Error>> {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        writeln!(self.to, "{request}")?;
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    fn end(self) -> Result<(), Box<dyn Error>> {
        let Self { mut child, to, .. } = self;
        drop(to);
        child.wait()?;
        Ok(())
    }
}

/// From the start of the process to the answer.
fn first_answer(program: &Path) -> Result<(Duration, Server), Box<dyn Error>> {
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                       "clientInfo": {"name": "bench", "version": "0"}});
    let started = Instant::now();
    let mut server = Server::start(program)?;
    let answer = server.ask("initialize", &hello)?;
    let took = started.elapsed();
    if answer["result"]["serverInfo"].is_null() {
        return Err(format!("this is no greeting: {answer}").into());
    }
    writeln!(server.to, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#)?;
    Ok((took, server))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let beside = std::env::current_exe()?;
    let programs = ["empty", "thousand"].map(|name| beside.with_file_name(name));
    if programs.iter().any(|program| !program.is_file()) {
        return Err(
            "the servers are not built: `cargo build --release --manifest-path benches/mcp/Cargo.toml`"
                .into(),
        );
    }
    let mut firsts = [Vec::new(), Vec::new()];
    let questions = [
        ("tools/list", json!({})),
        ("tools/call load_skill", json!({"name": "load_skill", "arguments": {"skill_name": ""}})),
        ("skills/list, the first page", json!({})),
    ];
    let mut later: Vec<Vec<f64>> = questions.iter().map(|_| Vec::new()).collect();
    for round in 0..args.rounds {
        for turn in 0..2 {
            // Neither always runs after the other.
            let which = (round + turn) % 2;
            let (took, mut server) = first_answer(&programs[which])?;
            firsts[which].push(took.as_secs_f64() * 1e3);
            if which == 1 {
                for ((question, params), times) in questions.iter().zip(&mut later) {
                    let method = question.split([' ', ',']).next().unwrap_or_default();
                    let mut params = params.clone();
                    if method == "tools/call" {
                        let name =
                            bundle_1000::SKILLS.skills().nth(round % 1_000).map_or("", |skill| skill.name());
                        params["arguments"]["skill_name"] = name.into();
                    }
                    let started = Instant::now();
                    let answer = server.ask(method, &params)?;
                    times.push(started.elapsed().as_secs_f64() * 1e3);
                    if answer["result"].is_null() || answer["result"]["isError"] == true {
                        return Err(format!("{question} was not answered: {answer}").into());
                    }
                }
            }
            server.end()?;
        }
    }
    let report = report(&args, &firsts, &questions.map(|(question, _)| question), &later);
    markdown::publish(&report, args.write.as_deref()).map_err(|error| error.to_string())?;
    Ok(())
}

fn report(args: &Args, firsts: &[Vec<f64>; 2], questions: &[&str], later: &[Vec<f64>]) -> String {
    let [empty, ours] = firsts;
    let ratio = stats::ratio(ours, empty);
    let mut text = format!(
        "# How soon a cold MCP server answers\n\n- Rounds: {}, both servers in turns; cells are medians\n\n\
         From the start of the process to the answer to `initialize`:\n\n\
         | server | ms | ratio |\n| --- | ---: | ---: |\n\
         | `rmcp` that serves nothing | {} | 1.00 |\n\
         | 1,000 bundled skills | {} | {} |\n\n\
         Then, of the 1,000 skills, the first time in each process:\n\n| question | ms |\n| --- | ---: |\n",
        args.rounds,
        markdown::cell(stats::median(empty), 2),
        markdown::cell(stats::median(ours), 2),
        markdown::cell(ratio, 2),
    );
    for (question, times) in questions.iter().zip(later) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "| {question} | {} |", markdown::cell(stats::median(times), 2));
    }
    let kept = if ratio.is_some_and(|ratio| ratio < 3.0) { "kept" } else { "NOT kept" };
    let _ = writeln!(text, "\nPromised: under 3 times the empty server. {kept}.");
    text
}
