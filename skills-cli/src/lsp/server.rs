//! What the server knows: the open files, the roots they belong to, and what the client can do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, PublishDiagnosticsParams,
    ResourceOperationKind, Uri, WorkspaceFolders,
};
use serde_json::Value;

use super::diagnostics;
use super::document::Document;
use super::place::{Kind, RootPlace, path_of, real, root_of};
use super::root::Root;

/// The state of the server.
#[derive(Debug)]
pub(crate) struct Server {
    folders: Vec<PathBuf>,
    documents: BTreeMap<PathBuf, Document>,
    roots: BTreeMap<RootPlace, Root>,
    /// The open files whose diagnostics are to be sent.
    waiting: BTreeSet<PathBuf>,
    /// Diagnostics that go with a file that was closed.
    cleared: Vec<Uri>,
    pub(crate) client: Client,
}

/// What the client can do.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Client {
    /// It applies edits to a given version of a file, and other changes beside them.
    pub(crate) takes_document_changes: bool,
    /// It renames files and directories.
    pub(crate) renames_files: bool,
    /// It watches files if it is asked to.
    pub(crate) watches_files: bool,
}

impl Server {
    pub(crate) fn new(params: &Value) -> Self {
        // What a client sends beside the protocol is no reason not to serve it.
        let params: InitializeParams = serde_json::from_value(params.clone()).unwrap_or_default();
        let workspace = params.capabilities.workspace.as_ref();
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let operations = edits.and_then(|edits| edits.resource_operations.as_ref());
        let client = Client {
            takes_document_changes: edits.and_then(|edits| edits.document_changes).unwrap_or_default(),
            renames_files: operations.is_some_and(|known| known.contains(&ResourceOperationKind::Rename)),
            watches_files: workspace
                .and_then(|workspace| workspace.did_change_watched_files.as_ref()?.dynamic_registration)
                .unwrap_or_default(),
        };
        let folders = match params.workspace_folders_initialize_params.workspace_folders {
            Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
                folders.into_iter().map(|folder| folder.uri).collect()
            }
            #[allow(deprecated, reason = "old clients know no folders")]
            _ => Vec::from_iter(params.root_uri),
        };
        Self {
            folders: folders.iter().filter_map(path_of).map(|path| real(&path)).collect(),
            documents: BTreeMap::new(),
            roots: BTreeMap::new(),
            waiting: BTreeSet::new(),
            cleared: Vec::new(),
            client,
        }
    }

    /// A file was opened. One that isn't served is forgotten here, and every later message on it is ignored.
    pub(crate) fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let Some(path) = path_of(&item.uri) else { return };
        let Some(kind) = Kind::of(&path) else { return };
        let path = real(&path);
        let document = Document::new(item.uri, kind, path.clone(), item.version, item.text);
        if kind == Kind::Manifest {
            self.set_in_roots_below(&document);
        } else {
            let place = root_of(&path, kind, &self.folders);
            let root = self.roots.entry(place.clone()).or_insert_with(|| {
                let mut root = Root::new(place);
                // The settings that are being written are in force.
                for manifest in self.documents.values().filter(|open| open.kind == Kind::Manifest) {
                    root.set(manifest);
                }
                root
            });
            // Others may have changed files meanwhile, and not every client tells.
            root.forget();
            root.set(&document);
        }
        self.documents.insert(path.clone(), document);
        self.judge_again(&path);
    }

    pub(crate) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let Some(path) = self.path(&params.text_document.text_document_identifier.uri) else { return };
        let Some(document) = self.documents.get_mut(&path) else { return };
        document.change(params.text_document.version, params.content_changes);
        let place = root_of(&path, document.kind, &self.folders);
        match (document.kind, self.roots.get_mut(&place)) {
            (Kind::Manifest, _) => {
                let Some(document) = self.documents.remove(&path) else { return };
                self.set_in_roots_below(&document);
                self.documents.insert(path.clone(), document);
            }
            (_, Some(root)) => root.set(document),
            (_, None) => {}
        }
        self.judge_again(&path);
    }

    /// A file was saved: it, or what is around it, may be new on disk.
    pub(crate) fn save(&mut self, uri: &Uri) {
        if let Some(path) = path_of(uri) {
            self.changed_on_disk(&real(&path));
        }
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        let Some(path) = self.path(uri) else { return };
        let Some(document) = self.documents.remove(&path) else { return };
        self.waiting.remove(&path);
        self.cleared.push(document.uri);
        for root in self.roots.values_mut() {
            root.unset(&path);
        }
        let used: BTreeSet<RootPlace> = self.documents.values().map(|open| self.place(open)).collect();
        self.roots.retain(|place, _| used.contains(place));
        self.judge_again(&path);
    }

    /// A file below a root was written, made or removed by somebody.
    pub(crate) fn changed_on_disk(&mut self, path: &Path) {
        let is_manifest = Kind::of(path) == Some(Kind::Manifest);
        let above = path.parent().unwrap_or(path);
        let places: Vec<RootPlace> = self.roots.keys().cloned().collect();
        for place in places {
            if path.starts_with(&place.dir) || is_manifest && place.dir.starts_with(above) {
                if let Some(root) = self.roots.get_mut(&place) {
                    root.forget();
                }
                self.wait_for(&place);
            }
        }
    }

    pub(crate) fn add_folder(&mut self, uri: &Uri) {
        self.folders.extend(path_of(uri).map(|path| real(&path)));
        self.place_again();
    }

    pub(crate) fn remove_folder(&mut self, uri: &Uri) {
        let gone = path_of(uri).map(|path| real(&path));
        self.folders.retain(|folder| Some(folder) != gone.as_ref());
        self.place_again();
    }

    /// Whether diagnostics are to be sent.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty() || !self.cleared.is_empty()
    }

    /// Whether queries of tests are to be judged once nobody types.
    pub(crate) fn has_old_queries(&self) -> bool {
        self.roots.values().any(Root::has_old_queries)
    }

    /// Judges the queries of tests. Where that gives something new, diagnostics are to be sent.
    pub(crate) fn judge_queries(&mut self) {
        self.roots.values_mut().for_each(Root::judge_queries);
        let new =
            self.roots.iter_mut().filter_map(|(place, root)| root.take_new_queries().then(|| place.clone()));
        for place in new.collect::<Vec<_>>() {
            self.wait_for(&place);
        }
    }

    /// The diagnostics to send.
    pub(crate) fn take_diagnostics(&mut self) -> Vec<PublishDiagnosticsParams> {
        let cleared = std::mem::take(&mut self.cleared).into_iter();
        let mut all: Vec<_> =
            cleared.map(|uri| PublishDiagnosticsParams::new(uri, None, Vec::new())).collect();
        for path in std::mem::take(&mut self.waiting) {
            let Some(document) = self.documents.get(&path) else { continue };
            let diagnostics = match document.kind {
                Kind::Manifest => diagnostics::of_manifest(document, &self.folders),
                kind => {
                    let place = root_of(&path, kind, &self.folders);
                    self.roots.get_mut(&place).map(|root| diagnostics::of(document, root)).unwrap_or_default()
                }
            };
            all.push(PublishDiagnosticsParams::new(
                document.uri.clone(),
                Some(document.version),
                diagnostics,
            ));
        }
        all
    }

    /// An open file, and its root; `None` for one that isn't open, isn't served, or is a Cargo.toml.
    pub(crate) fn opened(&mut self, uri: &Uri) -> Option<(&Document, &mut Root)> {
        let path = self.path(uri)?;
        let document = self.documents.get(&path)?;
        let place = root_of(&path, document.kind, &self.folders);
        Some((document, self.roots.get_mut(&place)?))
    }

    /// The texts and versions of the open files, by their places on disk.
    pub(crate) fn texts(&self) -> BTreeMap<PathBuf, (String, i32)> {
        let of = |(path, open): (&PathBuf, &Document)| (path.clone(), (open.text().to_owned(), open.version));
        self.documents.iter().map(of).collect()
    }

    /// The path of an open file. The same file may be named by two URIs.
    fn path(&self, uri: &Uri) -> Option<PathBuf> {
        let path = real(&path_of(uri)?);
        self.documents.contains_key(&path).then_some(path)
    }

    fn place(&self, document: &Document) -> RootPlace {
        root_of(&document.path, document.kind, &self.folders)
    }

    /// Gives a Cargo.toml to the roots that obey it.
    fn set_in_roots_below(&mut self, manifest: &Document) {
        let above = manifest.path.parent().unwrap_or(&manifest.path);
        let below: Vec<RootPlace> =
            self.roots.keys().filter(|place| place.dir.starts_with(above)).cloned().collect();
        for place in below {
            if let Some(root) = self.roots.get_mut(&place) {
                root.set(manifest);
            }
            self.wait_for(&place);
        }
    }

    /// Has the diagnostics sent of a file and of all files that a change of it may concern.
    fn judge_again(&mut self, path: &Path) {
        let Some(kind) = Kind::of(path) else { return };
        if self.documents.contains_key(path) {
            self.waiting.insert(path.to_owned());
        }
        let place = root_of(path, kind, &self.folders);
        self.wait_for(&place);
    }

    fn wait_for(&mut self, place: &RootPlace) {
        let of_root = self.documents.values().filter(|open| self.place(open) == *place);
        let paths: Vec<PathBuf> = of_root.map(|open| open.path.clone()).collect();
        self.waiting.extend(paths);
    }

    /// Finds the root of every open file again.
    fn place_again(&mut self) {
        self.roots.clear();
        for document in self.documents.values() {
            let place = root_of(&document.path, document.kind, &self.folders);
            if document.kind != Kind::Manifest {
                self.roots.entry(place.clone()).or_insert_with(|| Root::new(place)).set(document);
            }
            self.waiting.insert(document.path.clone());
        }
        for manifest in self.documents.values().filter(|open| open.kind == Kind::Manifest) {
            self.roots.values_mut().for_each(|root| root.set(manifest));
        }
    }
}
