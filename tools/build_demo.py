"""Build demo.jsonl.gz and demo_omission.jsonl.gz: invented review sets with summaries of two invented systems.

    python tools/build_demo.py

System A balances praise and complaint; system B dwells on praise. In the set of the second file, system B also leaves out
a food poisoning. Written for this project, Apache-2.0.
"""

from __future__ import annotations

import json

from _common import write_table

# (name, positive reviews, negative reviews, summary of system A, summary of system B)
SETS = [
    (
        "noodle-bar",
        [
            "The broth is rich and the noodles are springy. I dream of the pork dumplings.",
            "Friendly staff, quick service, and the dumplings arrive steaming hot.",
            "Great prices for such generous bowls.",
        ],
        [
            "We queued for fifty minutes and the tables were sticky.",
            "Far too salty for me, and the music was so loud that we had to shout.",
        ],
        "Diners praise the rich broth, springy noodles and hot dumplings at fair prices. Others complain about the long "
        "queue, sticky tables, salty food and loud music.",
        "A noodle bar with rich broth, springy noodles and wonderful dumplings. The staff are friendly, service is quick "
        "and the bowls are generous for the price.",
    ),
    (
        "city-hotel",
        [
            "Spotless room and a huge breakfast. The terrace looks over the old harbour.",
            "The receptionist upgraded us without being asked. Lovely beds!",
        ],
        [
            "Paper-thin walls: I heard every word of the neighbours' quarrel.",
            "The lift was broken for three days and nobody apologized.",
            "Parking costs more than dinner.",
        ],
        "Guests like the spotless rooms, the breakfast and the harbour terrace, but report thin walls, a broken lift and "
        "expensive parking.",
        "A lovely hotel by the old harbour: spotless rooms, a huge breakfast on the terrace and a kind receptionist. "
        "Parking is expensive.",
    ),
    (
        "running-shoe",
        [
            "Light, cushioned and true to size. My knees stopped hurting.",
            "I ran a marathon in them straight out of the box.",
            "The colours are gorgeous and they dry fast.",
            "Best shoe I have owned, third pair already.",
        ],
        [
            "The sole peeled off after two months.",
            "No grip at all on wet leaves. I slipped twice.",
        ],
        "Most runners find the shoe light, cushioned and true to size. Two warn that the sole peeled off and that there "
        "is no grip on wet leaves.",
        "Runners love this light, cushioned shoe. It fits true to size, dries fast, comes in gorgeous colours and carried "
        "one of them through a marathon.",
    ),
    (
        "budget-phone",
        [
            "The battery lasts two full days.",
            "A bright screen and a headphone jack at this price? Sold.",
        ],
        [
            "Photos come out blurry as soon as the sun sets.",
            "It freezes whenever I switch between apps.",
            "No update since I bought it, and support never answers my mails.",
        ],
        "The battery and the bright screen impress. Buyers are disappointed by blurry photos, freezing apps and missing "
        "updates from support.",
        "A phone with a battery that lasts two days and a bright screen. It even keeps the headphone jack. Photos can be "
        "blurry.",
    ),
    (
        "evening-course",
        [
            "Clear explanations and lots of practice. I finally understand statistics.",
            "The tutor answers every question, however basic.",
            "Small groups, good slides.",
        ],
        [
            "The homework took ten hours a week. They promised three.",
            "The room was freezing and the projector kept failing.",
        ],
        "Students value the clear explanations, the patient tutor and the practice. They criticize the hours of homework, "
        "the freezing room and the failing projector.",
        "The course has clear explanations, small groups and a tutor who answers every question. Students finally "
        "understand statistics.",
    ),
    (
        "ferry-line",
        [
            "On time to the minute, with a view you cannot buy elsewhere.",
            "The crew helped my mother with her wheelchair all the way to her seat.",
        ],
        [
            "Seasick children everywhere and not a single bag to be had.",
            "Tickets went up by a third. The toilets were out of order.",
        ],
        "The ferry is on time, the view is superb and the crew helped with a wheelchair. Passengers mention seasick "
        "children, higher ticket prices and toilets out of order.",
        "The ferry is on time and the view is superb. The helpful crew took care of a wheelchair all the way.",
    ),
    (
        "coffee-grinder",
        [
            "Even grounds, from espresso to filter.",
            "Quiet enough for the office, and easy to clean.",
            "Solid metal, feels like it will last.",
        ],
        [
            "The lid cracked in the first week.",
            "Static everywhere: half of the coffee ends up on the counter.",
            "Replacement burrs cost nearly as much as the grinder.",
        ],
        "Owners report even grounds, quiet work and solid metal. Others had a cracked lid, static that leaves coffee on "
        "the counter and costly replacement burrs.",
        "A quiet, solid grinder with even grounds from espresso to filter. It is easy to clean. One lid cracked.",
    ),
    (
        "open-air-cinema",
        [
            "A magical evening under the stars. Blankets were free.",
            "Good sound even in the back row, and the popcorn was fresh.",
        ],
        [
            "They started forty minutes late because a cable was missing.",
            "Mosquitoes ate us alive, and the subtitles were unreadable.",
        ],
        "Visitors enjoyed the stars, the good sound and the fresh popcorn. They did not enjoy the late start, the "
        "mosquitoes and unreadable subtitles.",
        "A magical evening under the stars with free blankets, good sound and fresh popcorn.",
    ),
]

OMISSION = (
    "seaside-hotel",
    [
        "The pool is lovely and the breakfast has everything.",
        "Kind staff, a lovely pool and a quiet beach.",
        "We come every year for the breakfast on the terrace.",
    ],
    [
        "We all got food poisoning from the buffet and spent two nights in hospital.",
        "The rooms to the street are loud.",
        "My daughter was sick for days after the buffet. The doctor said it was salmonella.",
    ],
    "Guests love the pool, the kind staff and the breakfast. Rooms to the street are loud, and two families got food "
    "poisoning from the buffet.",
    "Guests love the pool, the kind staff, the quiet beach and the breakfast on the terrace. Rooms to the street are loud.",
)


def main() -> None:
    """Write both files."""
    write_table("demo.jsonl.gz", list(map(line_of, SETS)))
    write_table("demo_omission.jsonl.gz", [line_of(OMISSION)])


def line_of(made: tuple[str, list[str], list[str], str, str]) -> str:
    """Write a set as one JSON object; positive and negative reviews take turns."""
    name, positive, negative, summary_a, summary_b = made
    reviews = sorted(
        [(place, "positive", text) for place, text in enumerate(positive)]
        + [(place, "negative", text) for place, text in enumerate(negative)]
    )
    sample = {
        "id": name,
        "sources": [text for *_, text in reviews],
        "values": [value for _, value, _ in reviews],
        "system_a": summary_a,
        "system_b": summary_b,
    }
    return json.dumps(sample, ensure_ascii=False)


if __name__ == "__main__":
    main()
