"""Stories of people who play in a browser: `make web-test`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.served import GAMES, Person, agents, least_players, served

pytestmark = pytest.mark.web


def tap(button: Any) -> None:
    button.tap()


def click(button: Any) -> None:
    button.click()


def focused(person: Person, what: str = "dataset.item") -> str:
    return str(person.page.evaluate(f"document.activeElement.{what} ?? ''"))


# ---- one person


def test_a_whole_chalice_is_played_by_tap_on_a_phone(playing: Any, device: Any) -> None:
    phone = playing.devices["Pixel 7"]
    with served("chalice_and_wand", "--seed", "7", *agents(2)) as table:
        person = Person(device(**phone), table.links[0])
        steps = person.plays(random.Random(4), tap)
        assert steps > 10
        person.sees(".over tbody tr")
        assert person.page.locator(".over tbody tr").count() == 2
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        person.button("Play again").tap()
        person.page.locator(".over").wait_for(state="detached")
        person.waits()
        assert person.page.locator(".own .card").count() == 10
        assert person.problems == []


ENDING = """
window.endings = new Set();
new MutationObserver(() => {
    if (document.querySelector(".over"))
        endings.add([...document.querySelectorAll("[data-card]")].map((card) => card.dataset.card).join());
}).observe(document, { subtree: true, childList: true, attributes: true });
"""


def test_the_result_is_shown_after_the_last_cards(device: Any) -> None:
    """An animated play: no card moves once the result is on the page."""
    with served("chalice_and_wand", "--seed", "7", *agents(2)) as table:
        context = device(reduced_motion="no-preference")
        context.add_init_script(ENDING)
        person = Person(context, table.links[0])
        person.plays(random.Random(4), click)
        person.page.wait_for_timeout(1_000)
        assert person.page.evaluate("endings.size") == 1
        assert person.problems == []


def test_two_player_wizard_is_played_by_keyboard_alone(device: Any) -> None:
    with served("two_player_wizard", "--seed", "2", "--option", "max_hands=1", *agents(2)) as table:
        person = Person(device(), table.links[0])
        keys, rng = person.page.keyboard, random.Random(3)
        person.waits()
        for _ in range(40):  # The tab key reaches the question.
            if focused(person).startswith("choice:"):
                break
            keys.press("Tab")
        assert focused(person).startswith("choice:")
        by_card = decisions = 0
        while not person.is_over:
            prompt = person.page.locator("[data-question]").inner_text()
            cards = person.page.locator(".card.legal").count()
            if cards and rng.random() < 0.5:
                for _ in range(40):  # The arrows lead to a card that can be chosen.
                    if person.page.evaluate("document.activeElement.matches('.card.legal')"):
                        break
                    near = person.page.evaluate(
                        "!!document.activeElement.closest('[data-group]')?.querySelector('.legal')"
                    )
                    keys.press("ArrowRight" if near else "ArrowUp")
                by_card += 1
                keys.press("Enter")
            else:
                keys.press("0" if "bid" in prompt else "1")
            person.sees(".confirm .primary:enabled")
            assert focused(person) != "", prompt
            keys.press("Escape")
            person.page.locator(".confirm").wait_for(state="detached")
            keys.press("Enter")
            person.sees(".confirm .primary:enabled")
            confirmed = person.page.locator(".confirm").inner_text()
            keys.press("Enter")
            # The same frame may bring the next decision, with its only choice picked.
            person.page.wait_for_function(
                "text => document.querySelector('.confirm')?.innerText !== text", arg=confirmed
            )
            person.waits()
            decisions += 1
            assert person.page.evaluate("document.activeElement !== document.body"), prompt
        assert decisions > 10
        assert by_card > 3
        keys.press("?")
        assert person.sees("dialog[open] h2").inner_text() == "Help"
        keys.press("Escape")
        person.page.locator("dialog").wait_for(state="detached")
        assert person.problems == []


def test_a_card_that_is_not_allowed_says_why(device: Any) -> None:
    with served("classics/hearts", "--seed", "7", "--option", "pass_cards=false", *agents(4)) as table:
        person = Person(device(), table.links[0])
        rng = random.Random(1)
        while not person.page.locator(".hands .card.dull").count():
            assert person.decides(rng, click)
            person.waits()
        before = person.page.locator(".card.picked").count()  # A single legal card is picked at once.
        click(person.page.locator(".hands .card.dull").first)
        assert len(person.sees(".toast.refused .reason").inner_text()) > 20
        assert person.page.locator(".card.picked").count() == before
        assert not person.page.locator(".hands .card.dull.picked").count()


def test_undo_takes_the_last_decision_back(device: Any) -> None:
    with served("chalice_and_wand", "--seed", "7", *agents(2)) as table:
        person = Person(device(), table.links[0])
        person.waits()
        before = person.page.locator(".hands .card").evaluate_all("all => all.map(card => card.ariaLabel)")
        click(person.page.locator(".card.legal").first)
        click(person.sees(".answers .choice.primary:has-text('Discard')"))
        person.page.locator("[data-question]:has-text('take')").or_(
            person.page.locator("h2:has-text('take')")
        ).first.wait_for()
        click(person.button("Undo"))
        person.page.locator("h2:has-text('discard')").wait_for()
        after = person.page.locator(".hands .card").evaluate_all("all => all.map(card => card.ariaLabel)")
        assert [name.split(",")[0] for name in before] == [name.split(",")[0] for name in after]


def test_rules_why_hint_log_and_menu_are_one_tap_away(device: Any) -> None:
    with served("classics/love_letter", "--seed", "7", *agents(2)) as table:
        person = Person(device(), table.links[0])
        person.waits()
        for name, content in (
            ("Rules", ".book h3"),
            ("Why", ".book li"),
            ("Hint", ".book p, [role=alert]"),
            ("Menu", "fieldset"),
        ):
            click(person.button(name))
            person.sees(f"dialog[open] {content}")
            person.page.keyboard.press("Escape")
            person.page.locator("dialog").wait_for(state="detached")
            assert focused(person) == f"bar:{name}"  # The focus goes back to where it was.
        click(person.button("Rules"))
        person.sees(".look input").fill("baron")
        person.page.keyboard.press("Enter")
        assert "baron" in person.sees("dialog[open] .book p").inner_text().lower()


# ---- several people


def test_three_people_pass_at_once_in_arcanity(device: Any) -> None:
    with served("arcanity", "--seed", "7", "--players", "3") as table:
        people = [Person(device(), table.links[seat]) for seat in range(3)]
        for person in people:
            person.waits()
        hands = [hand(person) for person in people]
        for number, person in enumerate(people):
            person.waits()
            assert person.page.locator(".question.mine").count() == 1
            for card in (9, 0, 4):  # In any order, the last card of the deck first.
                click(person.page.locator(".hands .card").nth(card))
                person.sees(f".hands .card.picked >> nth={(9, 0, 4).index(card)}")
            click(person.sees(".confirm .primary:enabled"))
            if number < 2:
                person.sees("text=You have chosen")
                assert hand(person) == hands[number]
        for person, before in zip(people, hands, strict=True):
            person.page.locator("h2:has-text('bid')").first.wait_for()
            assert len(hand(person)) == 10
            assert len(set(hand(person)) & set(before)) == 7
        assert not any(person.problems for person in people)


def hand(person: Person) -> list[str]:
    names = person.page.locator(".hands .card").evaluate_all("all => all.map(card => card.ariaLabel)")
    return [str(name).split(",")[0] for name in names]


def test_a_proposal_to_undo_is_put_to_the_other_person(device: Any) -> None:
    with served("chalice_and_wand", "--seed", "7") as table:
        first, second = (Person(device(), table.links[seat]) for seat in range(2))
        first.waits()
        second.sees(".waiting:has-text('Waiting for player 1')")
        click(first.sees(".answers .choice.primary:has-text('nothing')"))
        second.waits()
        click(first.button("Undo"))
        assert "take back" in second.sees(".banner").inner_text()
        click(second.button("Refuse"))
        second.page.locator(".banner").wait_for(state="detached")
        click(first.button("Undo"))
        click(second.button("Agree"))
        first.waits()
        assert first.page.locator(".question.mine").count() == 1


def test_a_second_device_takes_the_seat_over_and_the_first_takes_it_back(device: Any) -> None:
    with served("chalice_and_wand", "--seed", "7", *agents(2)) as table:
        laptop, phone = (Person(device(), table.links[0]) for _ in range(2))
        phone.waits()
        assert "another device" in laptop.sees(".splash:has-text('another device') h1").inner_text()
        click(laptop.button("Play here"))
        laptop.waits()
        phone.sees(".splash:has-text('another device')")


def test_an_agent_takes_over_and_gives_back(device: Any) -> None:
    with served("chalice_and_wand", "--seed", "7", *agents(2)) as table:
        person = Person(device(), table.links[0])
        person.waits()
        click(person.button("Menu"))
        person.page.get_by_label("Your seat is played by").select_option("random")
        person.page.keyboard.press("Escape")
        person.sees(".banner:has-text('plays for you'), .over")
        person.page.locator(".log li:has-text('Player 2')").first.wait_for()
        if not person.is_over:
            click(person.button("Play myself"))
            person.waits()


def test_a_spectator_sees_what_all_see_and_the_host_has_the_links(device: Any) -> None:
    with served("chalice_and_wand", "--seed", "7", *agents(2)) as table:
        person, spectator, host = (Person(device(), table.links[place]) for place in (0, "spectators", "host"))
        person.waits()
        spectator.sees(".middle .card")
        assert spectator.page.locator(".seat").count() == 2
        assert spectator.page.locator(".seat .card, .question .choice").count() == 0
        host.sees(".middle .card")
        click(host.button("Menu"))
        click(host.button("Seats and links"))
        click(host.button("Show the link").first)
        assert host.sees(".link input").input_value() == table.links[0]
        host.page.get_by_label("Played by").first.select_option("random")
        person.sees(".banner:has-text('plays for you'), .over")


def test_the_server_is_killed_and_goes_on(device: Any) -> None:
    with served("chalice_and_wand", "--seed", "7", *agents(2)) as table:
        person, spectator = Person(device(), table.links[0]), Person(device(), table.links["spectators"])
        person.waits()
        click(person.page.locator(".card.legal").first)
        click(person.sees(".answers .choice.primary"))
        person.page.locator("h2:has-text('take')").wait_for()
        click(person.page.locator(".card.legal").first)
        person.sees(".card.picked")
        before = hand(person)
        table.kill()
        assert "connection is lost" in person.sees(".banner.warn").inner_text()
        end = person.sees(".answers .choice.primary")
        click(end)  # The decision is kept, and sent when the server is there again.
        table.start(table.port)
        for one in (person, spectator):
            one.page.locator(".banner.warn").wait_for(state="detached")
        person.page.locator("h2:has-text('take')").wait_for(state="detached")
        assert len(hand(person)) == len(before) + 1
        assert spectator.page.locator(".log li:has-text('Player 1 takes')").count() == 1


# ---- texts of strangers, sizes, accessibility

HOSTILE = """cardgame 1
game "<img src=x onerror=alert(1)>"
    players 2
    at most 20 decisions
enum Kind: a "<b>", c "&lt;"
card C(kind: Kind) written "{kind}"
card D(number: 0..1) written "<i>{number}" named "<script>alert(2)</script>", "<svg onload=alert(3)>"
deck in stock
    2 of each C
    1 of each D
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    middle:       cards, seen by all
play
    shuffle stock
    deal 3 from stock to hand[players]
    for p in players
        p chooses
            play card x from hand[p]: move x to middle
result
    score p = count(hand[p])
"""


def test_texts_of_a_spec_never_become_html(device: Any, tmp_path: Path) -> None:
    path = tmp_path / "hostile.cardgame"
    path.write_text(HOSTILE, "utf-8")
    with served(str(path), *agents(2)) as table:
        person = Person(device(), table.links[0])
        person.page.on("dialog", lambda dialog: person.problems.append(dialog.message))
        person.waits()
        assert person.page.locator(".bar h1").inner_text() == "<img src=x onerror=alert(1)>"
        click(person.button("Rules"))
        person.sees("dialog[open] .book h2")
        person.page.keyboard.press("Escape")
        person.plays(random.Random(1), click)
        assert person.page.locator("#app script, #app img, #app b:has-text('alert')").count() == 0
        assert person.problems == []


def test_a_designer_brings_pictures(device: Any, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    image.new("RGB", (70, 98), "#00ff00").save(tmp_path / "1.png")
    image.new("RGB", (70, 98), "#00ff00").save(tmp_path / "3.png")
    with served("classics/kuhn_poker", "--seed", "3", "--art", str(tmp_path), *agents(2)) as table:
        person = Person(device(), table.links[0])
        person.waits()
        card = person.page.locator(".own .card")
        has_picture = card.get_attribute("aria-label") in ("1", "3")
        assert card.locator("img.art").count() == has_picture
        for face, status in (("0", 200), ("1", 404), ("7", 404), ("..%2F..%2Fpyproject.toml", 404)):
            answer = person.page.request.get(f"{table.links[0].split('/t/')[0]}/art/{face}")
            assert answer.status == status, face
        assert person.problems == []


TARGETS = ".question button:visible, button.card:visible, .bar button, summary:visible"
TOO_SMALL = """all => all.filter(e => e.isConnected).map(e => [e.getBoundingClientRect(), e.outerHTML])
    .filter(([r]) => r.width < 43.5 || r.height < 43.5).map(([r, html]) => r.width + " x " + r.height + " " + html)"""


@pytest.mark.parametrize("name", GAMES)
def test_no_screen_scrolls_sideways_and_targets_are_large(device: Any, name: str) -> None:
    with served(name, "--seed", "7", *agents(least_players(name))) as table:
        person = Person(device(viewport={"width": 320, "height": 640}), table.links[0])
        rng = random.Random(7)
        for _ in range(12):
            if not person.decides(rng, click):
                break
            assert person.page.evaluate("document.documentElement.scrollWidth") == 320
            small = person.page.locator(TARGETS).evaluate_all(TOO_SMALL)
            assert small == []
        assert person.problems == []


def violations(person: Person) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found: Any = Axe().run(person.page, options={"resultTypes": ["violations"]})
    return [f"{one['id']}: {node['html'][:200]}" for one in found.response["violations"] for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_nothing_at_any_table(device: Any, name: str, scheme: str) -> None:
    pytest.importorskip("axe_playwright_python")
    width = 1400 if scheme == "light" else 360
    with served(name, "--seed", "7", *agents(least_players(name))) as table:
        person = Person(device(viewport={"width": width, "height": 900}, color_scheme=scheme), table.links[0])
        rng = random.Random(5)
        for steps in (0, 3, 9):
            for _ in range(steps):
                person.decides(rng, click)
            person.waits()
            assert violations(person) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_panels_and_on_other_screens(device: Any, scheme: str) -> None:
    pytest.importorskip("axe_playwright_python")
    with served("wizards_duel", "--seed", "7", *agents(2)) as table:
        person = Person(device(viewport={"width": 800, "height": 900}, color_scheme=scheme), table.links[0])
        rng = random.Random(5)
        for _ in range(10):
            person.decides(rng, click)
        person.waits()
        opened: dict[str, Callable[[], None]] = {
            "Rules": lambda: click(person.button("Rules")),
            "Why": lambda: click(person.button("Why")),
            "Log": lambda: click(person.button("Log")),
            "Menu": lambda: click(person.button("Menu")),
            "a zone": lambda: click(person.page.locator("button.zone").first),
            "Help": lambda: person.page.keyboard.press("?"),
        }
        for name, show in opened.items():
            show()
            person.sees("dialog[open] .body > *")
            person.page.wait_for_timeout(300)
            assert violations(person) == [], name
            person.page.keyboard.press("Escape")
            person.page.locator("dialog").wait_for(state="detached")
        host = Person(device(color_scheme=scheme), table.links["host"])
        click(host.sees("nav button:has-text('Menu')"))
        click(host.button("Seats and links"))
        click(host.button("Show the link").first)
        host.sees(".link")
        assert violations(host) == []
        Person(device(), table.links[0]).waits()
        person.sees(".splash")
        assert violations(person) == []
    with served("classics/kuhn_poker", "--seed", "7", *agents(2)) as table:
        person = Person(device(color_scheme=scheme), table.links[0])
        person.plays(random.Random(1), click)
        assert violations(person) == []
        click(person.button("Check the deal"))
        assert re.fullmatch(r"[0-9a-f]{64}", person.sees("dialog[open] dd").inner_text())
        assert violations(person) == []
        table.kill()
        person.page.keyboard.press("Escape")
        person.sees(".banner.warn")
        assert violations(person) == []
