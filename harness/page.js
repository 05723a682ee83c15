/* page.js - one interleaving to walk through, and a scheduler to play.
 *
 * The page carries the small world's tables (engine/small_world.h) as JSON: parts, steps between them, what
 * each told.  Walker goes through them exactly as engine/walk.c does, options in the same order, so that a
 * schedule here, a list of option numbers, is the choices of a witness.  tellStep() says of a step what
 * harness/story.c says.  Texts reach the document as text only (textContent). */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const ACT = 0, CRASH = 1, UNHEARD = 2, BACKGROUND = 3, TICK = 4, FORGET = 5;
const STORES_MAX = 4, NOBODY = -1;

/* ---- the world ------------------------------------------------------------------------------------------ */

const key = (...parts) => parts.join();
const steps = new Map(data.steps.map(([client, shared, kind, which, outcomes]) =>
    [key(client, shared, kind, which), outcomes]));
const outdates = new Map(data.outdates.map(([part, written, to]) => [key(part, written), to]));
const telling = new Map(data.telling.map(([told, news, to]) => [key(told, news), to]));

function startWalk() {
    return { shared: data.first.shared, told: 0, client: data.first.client.slice(), last: NOBODY,
             crashes: 0, forgets: 0, steps: 0, switches: 0 };
}

const part = (walk, client) => data.parts[walk.client[client]];
const isOver = walk => walk.client.every(number => data.parts[number].done);

function outcomesOf(walk, client, kind, which) {
    const actor = kind >= BACKGROUND ? NOBODY : walk.client[client];
    return steps.get(key(actor, walk.shared, kind, which)) || [];
}

/* All that can happen next, in the order of walk_options(). */
function options(walk) {
    const list = [];
    const add = (client, kind, which) => outcomesOf(walk, client, kind, which).forEach(
        (outcome, choice) => list.push({ client, kind, which, choice }));
    const addActs = client => part(walk, client).acts.forEach((act, which) => add(client, ACT, which));
    if (isOver(walk)) return list;
    if (walk.last !== NOBODY) addActs(walk.last);
    walk.client.forEach((number, client) => { if (client !== walk.last) addActs(client); });
    const shared = data.shareds[walk.shared];
    for (let which = 0; which < shared.backgrounds; which++) add(NOBODY, BACKGROUND, which);
    if (shared.ticks) add(NOBODY, TICK, 0);
    if (walk.crashes < data.crashes)
        walk.client.forEach((number, client) => { add(client, CRASH, 0); add(client, UNHEARD, 0); });
    if (walk.forgets < data.forgets)
        for (let store = 0; store < STORES_MAX; store++) add(NOBODY, FORGET, store);
    return list;
}

function outcomeOf(walk, option) {
    const [client, shared, news, written, room, passes] =
        outcomesOf(walk, option.client, option.kind, option.which)[option.choice];
    return { client, shared, news, written, room, passes };
}

/* Takes an option: a new walk, as walk_step() makes it. */
function takeStep(walk, option) {
    const outcome = outcomeOf(walk, option), mover = option.client;
    const next = { ...walk, shared: outcome.shared, steps: walk.steps + 1 };
    next.client = walk.client.map((number, client) => client === mover ? outcome.client
        : outdates.has(key(number, outcome.written)) ? outdates.get(key(number, outcome.written)) : number);
    next.crashes += option.kind === CRASH || option.kind === UNHEARD ? 1 : 0;
    next.forgets += option.kind === FORGET ? 1 : 0;
    next.told = outcome.news ? telling.get(key(walk.told, outcome.news)) : walk.told;
    if (mover === NOBODY) return next;
    next.switches += walk.last !== NOBODY && walk.last !== mover ? 1 : 0;
    const before = part(walk, mover), after = data.parts[outcome.client];
    next.last = !after.done && before.request === after.request ? mover : NOBODY;
    return next;
}

/* ---- the story ------------------------------------------------------------------------------------------ */

/* A walk's story: what is remembered of clients and keys (harness/story.c). */
function startStory() {
    const walk = startWalk();
    return { walks: [walk], steps: [], open: new Set(),
             readAt: walk.client.map(() => null), seen: walk.client.map(() => 0),
             keys: data.keys.map(() => ({ writes: 0, writer: NOBODY })) };
}

/* What a write acts on, whom it replaces; and what others will have to reckon with. */
function tellAges(story, step) {
    const mover = step.option.client, tally = story.keys[step.key], now = story.steps.length;
    const isWrite = step.op === "put" || step.op === "swap", acts = isWrite || step.op === "return";
    step.refused = isWrite && !step.writes;
    if (acts && story.readAt[mover] !== null) {
        step.ageSteps = now - story.readAt[mover];
        step.ageWrites = tally.writes - story.seen[mover];
        if (step.op !== "swap" && step.writes && step.ageWrites > 0 && tally.writer !== mover)
            step.replaced = tally.writer;
    }
    if (!acts && (step.room !== null || step.op === "get" || step.op === "enter")) {
        story.readAt[mover] = now;
        story.seen[mover] = tally.writes;
    }
    if (step.writes) {
        tally.writes++;
        tally.writer = mover;
    }
}

/* What an option would do, without doing it. */
function lookAhead(walk, option) {
    const mover = option.client, outcome = outcomeOf(walk, option);
    const act = mover === NOBODY || option.kind === CRASH ? undefined : part(walk, mover).acts[option.which];
    const step = { option, op: act ? act.op : "", inMemory: !!act && act.memory, room: outcome.room,
                   passes: outcome.passes, key: mover === NOBODY ? 0 : data.clients[mover].key,
                   news: data.news[outcome.news], replaced: NOBODY, ageSteps: 0, ageWrites: 0, refused: false,
                   phase: mover === NOBODY ? "" : part(walk, mover).phase };
    step.trueRoom = data.tolds[walk.told].room[step.key][data.shareds[walk.shared].instant];
    step.writes = step.op !== "get" && option.kind !== TICK
        && (outcome.written !== "0" || outcome.shared !== walk.shared);
    return step;
}

/* Takes a step and adds it to the story. */
function tellStep(story, option) {
    const walk = story.walks[story.walks.length - 1], mover = option.client;
    const step = lookAhead(walk, option), next = takeStep(walk, option);
    step.starts = mover !== NOBODY && !story.open.has(mover);
    step.before = new Set(story.open);
    if (mover !== NOBODY) {
        tellAges(story, step);
        if (next.last === mover) story.open.add(mover); else story.open.delete(mover);
    }
    step.underWay = new Set(story.open);
    step.over = data.tolds[next.told].over;
    step.now = data.shareds[next.shared].now;
    story.walks.push(next);
    story.steps.push(step);
}

function tell(schedule) {
    const story = startStory();
    for (const number of schedule) {
        const option = options(story.walks[story.walks.length - 1])[number];
        if (!option) break;
        tellStep(story, option);
    }
    return story;
}

/* ---- words (harness/story_text.c) ----------------------------------------------------------------------- */

const nameOf = client => String.fromCharCode(65 + client % 26);
const plural = n => n === 1 ? "" : "s";
const does = { get: "reads", script: "sends its script, which reads", add: "adds", count: "counts",
               expire: "sets the end", enter: "enters and reads", return: "comes back", wake: "wakes",
               block: "takes a block", spread: "spreads",
               sync: "tells others" };

function wordOf(step) {
    const kind = step.option.kind;
    if (kind === CRASH || kind === UNHEARD) return "dies";
    if (kind === TICK) return "time";
    if (kind === FORGET) return "forget";
    return step.op || (step.option.client === NOBODY ? "timer" : step.starts ? "ask" : "wake");
}

function roomText(step) {
    if (step.room === null) return "";
    const seen = step.room > 0 ? ` room for ${step.room}` : " no room";
    if (step.room <= step.trueRoom) return seen;
    return seen + (step.trueRoom > 0 ? `, in truth for ${step.trueRoom}` : ", in truth none");
}

function verdictText(step) {
    const [admitted, denied, failed] = step.news;
    return admitted ? ": passes" : denied ? ": denied" : failed ? ": nobody decides"
        : step.room === null ? "" : step.passes ? ": may pass" : ": denied";
}

function writeText(step, name) {
    if (step.op === "swap")
        return step.refused ? `${name}'s swap is refused: others wrote since it read`
            : `${name} swaps: nobody wrote since it read`;
    if (step.refused) return `${name}'s write is refused`;
    if (!step.ageWrites) return `${name} writes`;
    return `${name} writes what it read ${step.ageSteps} step${plural(step.ageSteps)} ago, `
        + (step.replaced !== NOBODY ? `over ${nameOf(step.replaced)}'s write: that is lost`
            : `${step.ageWrites} write${plural(step.ageWrites)} since`);
}

function lineOf(step) {
    const kind = step.option.kind, name = nameOf(step.option.client);
    if (kind === TICK) return `time goes on to ${step.now}`;
    if (kind === FORGET) return "the store forgets everything";
    if (step.option.client === NOBODY) return "in the background the stores go on";
    if (kind === CRASH) return `${name} dies; what it had sent is lost`;
    const act = step.op === "put" || step.op === "swap" ? writeText(step, name)
        : step.op ? `${name} ${does[step.op]}` : step.room !== null ? `${name} sees`
            : `${name} ${step.starts ? "asks" : "wakes"}`;
    const acting = step.op === "return" && step.ageSteps > 0
        ? ` with what it read ${step.ageSteps} step${plural(step.ageSteps)} ago:` : "";
    return act + acting + roomText(step) + verdictText(step)
        + (kind === UNHEARD ? `; then ${name} dies, and nobody hears the answer` : "");
}

/* What a button says of an option, before it is taken. */
function offerOf(walk, option) {
    const kind = option.kind, name = nameOf(option.client);
    if (kind === TICK) return "let time go on";
    if (kind === FORGET) return "the store forgets everything";
    if (kind === BACKGROUND) return "let the stores go on";
    if (kind === CRASH) return `${name} dies`;
    const step = lookAhead(walk, option), choice = option.choice ? `, way ${option.choice + 1}` : "";
    const asks = part(walk, option.client).waiting ? "asks" : "goes on";
    return `${name}: ${step.op || asks}${choice}` + (kind === UNHEARD ? ", and dies" : "");
}

/* ---- the game ------------------------------------------------------------------------------------------- */

const element = id => document.getElementById(id);
const game = { schedule: [], at: 0 };

function make(tag, className, text) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
}

/* The numbers of a fragment "s=0.1.0"; null where there is none. */
function scheduleOf(fragment) {
    const match = /^#s=([0-9.]*)$/.exec(fragment);
    return match && match[1].split(".").filter(text => text !== "").map(Number);
}

const fragmentOf = schedule => "#s=" + schedule.join(".");

function show(schedule, at) {
    const possible = tell(schedule).steps.length;
    game.schedule = schedule.slice(0, possible);
    game.at = Math.max(0, Math.min(at, possible));
    draw();
}

/* The reader's move: what was to come after it is forgotten. */
function play(number) {
    const schedule = game.schedule.slice(0, game.at).concat(number);
    if (tell(schedule).steps.length === schedule.length) show(schedule, schedule.length);
}

const undo = () => show(game.schedule.slice(0, Math.max(0, game.at - 1)), game.at - 1);
/* The witness, where it breaks. */
const showWitness = () => show(data.witness.schedule,
    data.witness.over < 0 ? data.witness.schedule.length : data.witness.over + 1);
const startOver = () => show([], 0);

/* ---- drawing -------------------------------------------------------------------------------------------- */

function laneOf(step, client, passes) {
    const mover = client === step.option.client;
    const life = mover ? !step.starts || step.underWay.has(client)
        : step.before.has(client) && step.underWay.has(client);
    const lane = make("span", "lane c" + client % 6 + (life ? " life" : "") + (mover ? " mover" : "")
        + (mover && step.starts ? " first" : "") + (mover && !step.underWay.has(client) ? " last" : ""));
    lane.style.gridColumn = client + 2;
    if (mover) lane.append(make("b", "chip", wordOf(step)));
    return lane;
}

function rowOf(story, i) {
    const step = story.steps[i], mover = step.option.client, clients = data.clients.length;
    const row = make("li", "row");
    row.classList.toggle("later", i >= game.at);
    row.classList.toggle("now", i === game.at - 1);
    row.classList.toggle("bad", step.over && (i === 0 || !story.steps[i - 1].over));
    row.classList.toggle("critical", isWitness() && i === data.witness.critical);
    row.append(make("span", "number", i + 1));
    for (let client = 0; client < clients; client++) row.append(laneOf(step, client));
    if (step.op && !step.inMemory && mover !== NOBODY) {
        const arrow = make("i", "arrow c" + mover % 6 + (step.writes ? " writes" : ""));
        arrow.style.gridColumn = `${mover + 2} / ${clients + 3}`;
        row.append(arrow);
    }
    const store = make("span", "lane store" + (step.writes ? " written" : ""));
    store.style.gridColumn = clients + 2;
    const text = make("span", "text", lineOf(step));
    text.style.gridColumn = clients + 3;
    row.append(store, text);
    if (i === game.at - 1) row.setAttribute("aria-current", "step");
    row.addEventListener("click", () => show(game.schedule, i + 1));
    return row;
}

const isWitness = () => fragmentOf(game.schedule) === fragmentOf(data.witness.schedule);

function drawDiagram(story) {
    const head = make("li", "row head");
    head.append(make("span", "number", ""));
    data.clients.forEach((client, i) => {
        const lane = make("span", "lane c" + i % 6, nameOf(i));
        lane.style.gridColumn = i + 2;
        lane.title = `asks for ${data.keys[client.key]}, cost ${client.cost}`;
        head.append(lane);
    });
    const store = make("span", "lane store", "store");
    store.style.gridColumn = data.clients.length + 2;
    head.append(store, make("span", "text", ""));
    element("diagram").replaceChildren(head, ...story.steps.map((step, i) => rowOf(story, i)));
    const now = element("diagram").querySelector(".now");
    if (now && now.scrollIntoView) now.scrollIntoView({ block: "nearest" });
}

function drawMoves(walk) {
    const list = options(walk);
    element("moves").replaceChildren(...list.map((option, number) => {
        const button = make("button", "move" + (option.client === NOBODY ? "" : " c" + option.client % 6));
        if (number < 9) button.append(make("kbd", "", number + 1));
        button.append(make("span", "", offerOf(walk, option)));
        button.addEventListener("click", () => play(number));
        const item = make("li");
        item.append(button);
        return item;
    }));
    element("no-moves").hidden = list.length > 0;
}

function parText(walk, steps) {
    if (!data.par) return "";
    const moves = steps.findIndex(step => step.over) + 1;
    const best = `par: ${data.par.steps} moves`;
    return moves === 0 ? best : `${moves} moves, ${best}` + (moves <= data.par.steps ? " — perfect" : "");
}

/* Broken, held, or still open; and how it compares with what the explorer found. */
function drawStatus(story, walk) {
    const told = data.tolds[walk.told], status = element("status");
    const state = told.over ? "broken" : isOver(walk) ? "held" : "open";
    const text = { broken: `Broken: ${told.cost} admitted.`, held: `It held: ${told.cost} admitted.`,
                   open: `${told.cost} admitted so far.` }[state];
    status.className = state;
    status.dataset.state = state;
    status.replaceChildren(make("b", "", text), make("span", "",
        state === "held" && data.par ? " Undo, and let somebody else go at another place." : ""));
    element("par").textContent = data.par ? parText(walk, story.steps.slice(0, game.at))
        : "No order of steps breaks it: every one was tried.";
    element("now").textContent = `step ${game.at} of ${game.schedule.length}, it is ${
        data.shareds[walk.shared].now}, ${walk.switches} switch${walk.switches === 1 ? "" : "es"}`;
}

/* A listing, with the clients that wait at an AWAIT beside its line. */
function drawCode(list, code, walk) {
    list.replaceChildren(...code.lines.map((text, number) => {
        const line = make("li", "line"), gutter = make("span", "gutter");
        if (walk) walk.client.forEach((name, client) => {
            const where = part(walk, client);
            if (where.waiting || where.done || code.awaits[where.phase] !== number) return;
            line.classList.add("awaited");
            line.classList.toggle("current", line.classList.contains("current") || client === walk.last);
            gutter.append(make("b", "chip c" + client % 6, nameOf(client)));
        });
        line.append(gutter, make("code", "", text));
        return line;
    }));
}

function draw() {
    const story = tell(game.schedule), walk = story.walks[game.at];
    drawDiagram(story);
    drawMoves(walk);
    drawStatus(story, walk);
    if (data.code) drawCode(element("code"), data.code, walk);
    element("why").hidden = !isWitness();
    const link = fragmentOf(game.schedule);
    element("link").href = link;
    if (location.hash !== link) history.replaceState(null, "", link);
}

function drawCure(chosen) {
    const cure = data.cures[chosen];
    if (!cure) return;
    element("cure-result").textContent = cure.result;
    if (cure.code) drawCode(element("cure-code"), cure.code, null);
    element("cures").querySelectorAll("button").forEach((button, i) =>
        button.setAttribute("aria-pressed", i === chosen ? "true" : "false"));
}

/* ---- the keyboard --------------------------------------------------------------------------------------- */

const keys = {
    ArrowRight: () => show(game.schedule, game.at + 1), ArrowDown: () => show(game.schedule, game.at + 1),
    ArrowLeft: () => show(game.schedule, game.at - 1), ArrowUp: () => show(game.schedule, game.at - 1),
    Home: () => show(game.schedule, 0), End: () => show(game.schedule, game.schedule.length),
    u: undo, Backspace: undo, w: showWitness, n: startOver,
};

function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) play(Number(event.key) - 1);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
}

function wire() {
    document.addEventListener("keydown", pressed);
    window.addEventListener("hashchange", () => restore(location.hash));
    for (const [id, action] of [["back", keys.ArrowLeft], ["on", keys.ArrowRight], ["undo", undo],
                                ["witness", showWitness], ["new", startOver]])
        element(id).addEventListener("click", action);
    data.cures.forEach((cure, i) => {
        const button = make("button", "", cure.name);
        button.addEventListener("click", () => drawCure(i));
        element("cures").append(button);
    });
    drawCure(0);
}

/* A link's schedule; without one, the witness. */
function restore(fragment) {
    const schedule = scheduleOf(fragment);
    if (schedule) show(schedule, schedule.length);
    else if (fragment === "#play") startOver();
    else showWitness();
}

/* ---- the page tests itself (#selftest) ------------------------------------------------------------------ */

/* All orders from a walk on, and those that let too much through: as the explorer counts them. */
function countOrders(walk, known = new Map()) {
    const name = key(walk.shared, walk.told, walk.crashes, walk.forgets, ...walk.client);
    if (known.has(name)) return known.get(name);
    const list = options({ ...walk, last: NOBODY });
    const sum = [0n, 0n];
    if (isOver(walk)) sum.splice(0, 2, 1n, data.tolds[walk.told].over ? 1n : 0n);
    for (const option of list) {
        const [all, bad] = countOrders(takeStep(walk, option), known);
        sum[0] += all;
        sum[1] += bad;
    }
    known.set(name, sum);
    return sum;
}

/* Claims, as TAP, into the document. */
function selfTest() {
    const lines = [], state = () => element("status").dataset.state;
    const claim = (name, holds) => lines.push(`${holds ? "ok" : "not ok"} ${lines.length + 1} - ${name}`);
    const press = name => document.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
    const texts = () => [...document.querySelectorAll("#diagram .row:not(.head) .text")].map(
        node => node.textContent);

    showWitness();
    claim("the story is told as limitlab tells it", key(...texts()) === key(...data.witness.lines));
    if (data.orders)
        claim("the tables hold as many orders as limitlab counts",
            countOrders(startWalk()).join() === `${data.orders},${data.badOrders}`);
    claim("a text of the user is a text", document.title === data.title
        && element("title").textContent === data.title && element("story").textContent === data.story);
    claim("the witness is open at the step that breaks it", game.at === data.witness.over + 1
        || data.witness.over < 0);
    claim("no text became an element", !document.querySelector("main img, main script"));
    press("Home");
    claim("the keyboard goes to the beginning", game.at === 0);
    press("ArrowRight");
    claim("the keyboard goes a step on", game.at === 1 && texts().length === data.witness.lines.length);
    press("ArrowLeft");
    claim("the keyboard goes a step back", game.at === 0);
    press("n");
    while (element("moves").childElementCount > 0 && game.at < 4096) press("1");
    claim("the calm run is as the explorer says", state() === data.calm);
    claim("a finished game offers no move", element("moves").childElementCount === 0);
    const length = game.schedule.length;
    press("u");
    claim("a move can be undone", game.schedule.length === length - 1);
    if (data.par) {
        startOver();
        data.par.schedule.forEach(number => number < 9 ? press(String(number + 1)) : play(number));
        claim("par breaks it", state() === "broken" && game.schedule.length === data.par.steps);
        claim("par is perfect", element("par").textContent.endsWith("perfect"));
        const won = location.hash;
        startOver();
        claim("a new game is open", state() === "open");
        restore(won);
        claim("a link restores the game", state() === "broken" && location.hash === won);
    }
    lines.push(`1..${lines.length}`);
    document.body.append(make("pre", "", lines.join("\n")));
    document.body.lastChild.id = "selftest";
}

const fragment = location.hash;
wire();
if (fragment === "#selftest") selfTest();
else restore(fragment);
