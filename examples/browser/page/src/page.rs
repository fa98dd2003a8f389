//! What the user sees, and what the user wants.

use auction_protocol::Lot;
use pipes::{Chan, Port, stream};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element, HtmlInputElement};

/// The most lines of news that are shown.
const LINES: u32 = 50;

/// What the user wants.
pub enum Wish {
    /// To come in under this name.
    Enter(String),
    /// To bid this amount.
    Bid(u32),
    /// To go.
    Leave,
}

/// A clone is the same page.
#[derive(Clone)]
pub struct Page(Rc<State>);

struct State {
    document: Document,
    highest: RefCell<u32>,
    hall: RefCell<Vec<String>>,
}

impl Page {
    /// Returns the page, and what the user will want.
    pub fn new() -> (Page, Port<Wish>) {
        let page = Page(Rc::new(State {
            document: document(),
            highest: RefCell::new(0),
            hall: RefCell::new(Vec::new()),
        }));
        let (wishes, port) = stream();
        let wishes = Rc::new(RefCell::new(wishes));
        let name = page.clone();
        page.on("enter", "submit", &wishes, move || Wish::Enter(name.input("name").value()));
        for step in [1, 10, 100] {
            let highest = page.clone();
            page.on(&format!("bid-{step}"), "click", &wishes, move || {
                Wish::Bid(highest.0.highest.borrow().saturating_add(step))
            });
        }
        page.on("leave", "click", &wishes, || Wish::Leave);
        (page, port)
    }

    /// Sends a wish at each event of this kind.
    fn on(&self, id: &str, event: &str, wishes: &Rc<RefCell<Chan<Wish>>>, wish: impl Fn() -> Wish + 'static) {
        let wishes = wishes.clone();
        let listener = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            event.prevent_default();
            // If the page no longer listens, it wants nothing.
            let _ = wishes.borrow_mut().send(wish());
        });
        let added =
            self.element(id).add_event_listener_with_callback(event, listener.as_ref().unchecked_ref());
        added.expect("a browser takes listeners");
        // The page has its buttons as long as it lives.
        listener.forget();
    }

    /// Returns the URL of a WebSocket at the server of the page.
    pub fn url(&self, path: &str) -> String {
        let location = self.0.document.location().expect("a page has a location");
        let is_secure = location.protocol().is_ok_and(|protocol| protocol == "https:");
        let scheme = if is_secure { "wss" } else { "ws" };
        format!("{scheme}://{}{path}", location.host().expect("a page has a host"))
    }

    /// Shows the form for the name, or what can be done in the hall.
    pub fn show_door(&self, is_outside: bool) {
        self.hide("door", !is_outside);
        self.hide("floor", is_outside);
    }

    /// Asks for a name.
    pub fn ask(&self, question: &str) {
        self.element("question").set_text_content(Some(question));
    }

    /// Shows what is sold.
    pub fn show_lot(&self, lot: &Lot) {
        *self.0.highest.borrow_mut() = lot.highest.as_ref().map_or(0, |(_, amount)| *amount);
        self.element("picture").set_text_content(Some(&lot.picture));
        self.element("lot").set_text_content(Some(&format!("Lot {}: {}", lot.number, lot.name)));
        let highest = match &lot.highest {
            Some((name, amount)) => format!("{amount} by {name}"),
            None => "no bid yet".to_owned(),
        };
        self.element("highest").set_text_content(Some(&highest));
        if let Some((name, amount)) = &lot.highest {
            self.say(&format!("{name} bids {amount}."));
        }
    }

    /// Shows who is in the hall.
    pub fn show_hall(&self, names: Vec<String>) {
        self.element("hall").set_text_content(Some(&names.join(", ")));
        *self.0.hall.borrow_mut() = names;
    }

    /// Shows one more in the hall.
    pub fn come(&self, name: String) {
        let mut names = self.0.hall.borrow().clone();
        names.push(name);
        self.show_hall(names);
    }

    /// Shows one less in the hall.
    pub fn leave(&self, name: &str) {
        let mut names = self.0.hall.borrow().clone();
        names.retain(|it| it != name);
        self.show_hall(names);
    }

    /// Adds a line to the news.
    pub fn say(&self, text: &str) {
        let (news, line) = (self.element("news"), create("li"));
        line.set_text_content(Some(text));
        news.prepend_with_node_1(&line).expect("a list takes lines");
        while news.child_element_count() > LINES {
            news.last_element_child().expect("there are some").remove();
        }
    }

    fn hide(&self, id: &str, is_hidden: bool) {
        let changed = self.element(id).toggle_attribute_with_force("hidden", is_hidden);
        changed.expect("an element takes attributes");
    }

    fn input(&self, id: &str) -> HtmlInputElement {
        self.element(id).unchecked_into()
    }

    fn element(&self, id: &str) -> Element {
        self.0.document.get_element_by_id(id).unwrap_or_else(|| panic!("`index.html` has no {id:?}"))
    }
}

pub fn document() -> Document {
    web_sys::window().and_then(|window| window.document()).expect("a page has a document")
}

fn create(name: &str) -> Element {
    document().create_element(name).expect("it is the name of an element")
}
