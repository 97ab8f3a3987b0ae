//! Notifies a client when skills change, and keeps its session while it is there.

use std::time::Duration;

use rmcp::model::{PingRequest, ServerRequest, SubscriptionFilter};
use rmcp::service::{Peer, RoleServer, ServiceError, SubscriptionContext};
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// Talks to one client while this value lives.
#[derive(Debug)]
pub(super) struct Telling(AbortHandle);

impl Telling {
    /// Asks a client again and again whether it is there, this long after each answer. An answer keeps its session, which
    /// ends after a while without a message. A question is kept until the client opens its event stream, so one that
    /// comes back in time answers it; of one that is gone, the session ends, and with it the wait.
    pub(super) fn ping(every: Duration, client: Peer<RoleServer>) -> Self {
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                match client.send_request(ServerRequest::PingRequest(PingRequest::default())).await {
                    // A client that doesn't know the request is there, too.
                    Ok(_) | Err(ServiceError::McpError(_)) => {}
                    Err(_) => return,
                }
            }
        });
        Self(task.abort_handle())
    }

    /// For clients that are notified without a request: those of the protocol before 2026-07-28.
    pub(super) fn start(mut changes: watch::Receiver<()>, client: Peer<RoleServer>) -> Self {
        let task = tokio::spawn(async move {
            while changes.changed().await.is_ok() {
                let notified = async {
                    client.notify_tool_list_changed().await?;
                    client.notify_prompt_list_changed().await?;
                    client.notify_resource_list_changed().await
                };
                if notified.await.is_err() {
                    return;
                }
            }
        });
        Self(task.abort_handle())
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Waits until the server closes its streams; for ever if it never does.
pub(super) async fn closed(closing: Option<watch::Receiver<bool>>) {
    if let Some(mut closing) = closing
        && closing.wait_for(|is_closing| *is_closing).await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// The notifications that a client may request.
pub(super) fn offered() -> SubscriptionFilter {
    SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().resources_list_changed().build()
}

/// Notifies a client that has requested it, until it cancels the request. Without `changes`, nothing ever changes.
pub(super) async fn tell(changes: Option<watch::Receiver<()>>, subscription: &SubscriptionContext) {
    let Some(mut changes) = changes else { return subscription.cancelled().await };
    let wanted = subscription.accepted();
    let client = subscription.sink();
    loop {
        tokio::select! {
            () = subscription.cancelled() => return,
            changed = changes.changed() => if changed.is_err() { return },
        }
        let notified = async {
            if wanted.tools_list_changed == Some(true) {
                client.notify_tool_list_changed().await?;
            }
            if wanted.prompts_list_changed == Some(true) {
                client.notify_prompt_list_changed().await?;
            }
            if wanted.resources_list_changed == Some(true) {
                client.notify_resource_list_changed().await?;
            }
            Ok::<(), rmcp::service::SubscriptionSendError>(())
        };
        if notified.await.is_err() {
            return;
        }
    }
}
