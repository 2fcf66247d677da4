"""The record of a match, to be downloaded once the match is over."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games import archive, record, selectors


@require_safe
def download(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A record names seats, not people: whoever has the address of a replay may have it."""
    try:
        text = record.write(archive.record_of(match_id))
    except selectors.MatchNotFound as error:
        raise Http404 from error
    file_name = f'attachment; filename="belote-{match_id}.json"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": file_name})
