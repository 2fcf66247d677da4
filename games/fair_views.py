"""The pages on which anybody verifies deals."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.preferences import preferences_of
from games import selectors, wording
from games.deal_proof import DealProof, proof_of
from games.engine.notation import format_cards
from games.engine.seats import Seat
from games.fair_deal import in_groups
from games.frame import card_faces
from games.tables import reading_of

SCRIPT = settings.BASE_DIR / "docs" / "verify_deal.py"


@never_cache
@require_safe
def verify_deal(request: HttpRequest, match_id: UUID, deal: int) -> HttpResponse:
    """What a deal was made from. Of a match that runs, for those who may see its table; of one that is over, for
    everybody who has its address."""
    try:
        proof = proof_of(match_id, deal)
        if not proof.is_over:
            selectors.place_at(match_id, request.user.pk)
        people = selectors.people_at(match_id)
    except selectors.MatchNotFound as error:
        raise Http404 from error
    letters = reading_of(preferences_of(request.user, get_language() or "en")).letters
    faces = card_faces(letters)
    return render(
        request,
        "games/verify_deal.html",
        {
            "proof": proof,
            "facts": _facts(proof) | {"seat": _own_seat(match_id, request.user.pk)},
            "commitment": in_groups(proof.commitment),
            "contributions": [
                {
                    "seat": wording.seat_relation(None, seat),
                    "name": people[seat].name(seat),
                    "number": in_groups(proof.contributions[seat] or b""),
                }
                for seat in Seat
            ],
            "seed": "" if proof.seed is None else in_groups(proof.seed),
            "deck": [faces[card] for card in proof.deck or ()],
            "dealer": "" if proof.dealer is None else people[proof.dealer].name(proof.dealer),
            "is_first": deal == 1,
        },
    )


def _facts(proof: DealProof) -> dict[str, str]:
    """What verify_deal.js computes with, as data attributes: hexadecimal digits, cards in notation."""
    return {
        "match": str(proof.match_id),
        "deal": str(proof.deal),
        "commitment": proof.commitment.hex(),
        "numbers": ",".join("" if bits is None else bits.hex() for bits in proof.contributions),
        "seed": "" if proof.seed is None else proof.seed.hex(),
        "deck": format_cards(proof.deck or ()),
        "dealer": "" if proof.dealer is None else str(int(proof.dealer)),
    }


def _own_seat(match_id: UUID, user_id: int | None) -> str:
    try:
        return str(int(selectors.seat_of(match_id, user_id)))
    except selectors.MatchNotFound:
        return ""


@require_safe
def fair_deals(request: HttpRequest) -> HttpResponse:
    return render(request, "games/fair_deals.html")


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """The program that verifies the deals of a record, to be run where nobody has to trust this site."""
    named = {"Content-Disposition": f'attachment; filename="{SCRIPT.name}"'}
    return HttpResponse(SCRIPT.read_bytes(), content_type="text/x-python; charset=utf-8", headers=named)
