//! A long session does not grow.

use serde_json::json;

use super::Client;

#[test]
fn a_thousand_loads_leave_nothing_behind() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut client = runtime.block_on(Client::new());
    let mut load = |times: usize| {
        runtime.block_on(async {
            for _ in 0..times {
                let loaded = client.call("load_skill", &json!({"skill_name": "pdf-forms"})).await;
                assert_eq!(loaded["isError"], false);
            }
        });
    };
    // Buffers reach the size that they keep.
    load(100);
    let heap = allocation_counter::measure(|| load(1_000));
    assert!(heap.bytes_current < 16 * 1024, "{} bytes stayed of 1,000 calls", heap.bytes_current);
    runtime.block_on(client.close());
}
