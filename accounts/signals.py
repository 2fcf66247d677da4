"""What the rest of the site takes part in when an account changes hands or goes."""

from django.dispatch import Signal

guest_joined = Signal()
"""A guest has logged in to an account that existed: ``guest`` and ``account``, inside the transaction that deletes the
guest afterwards. Whatever is the guest's and should stay becomes the account's now."""

account_closing = Signal()
"""An account is about to be deleted: ``user``, inside that transaction. Whoever holds rows of it lets go of them."""

data_requested = Signal()
"""Somebody downloads their own data: ``user``. Each receiver returns (name of the section, what JSON can hold)."""

relation_changed = Signal()
"""Somebody has decided something about another, or taken it back: ``owner``, ``other`` (users), ``kind`` (of Relation)
and ``holds``, inside that transaction. Nobody but the owner may learn of it."""

about_to_decide = Signal()
"""A member of the staff, ``staff``, is about to impose something on ``person`` or to lift it: inside that transaction,
both locked. ``report`` is the number of the report that led to it, or None. Receivers may raise `audit.Refused`."""

person_banned = Signal()
"""Somebody has been banned from the site: ``user``, inside that transaction. Whoever holds a seat for them frees it."""

person_suspended = Signal()
"""Somebody may play no rated matches for a while: ``user``, inside that transaction."""

person_renamed = Signal()
"""Moderators have taken somebody's name away: ``user``, inside that transaction. Open pages show the old one still."""

rights_given = Signal()
"""Somebody is of the staff now, or has other rights: ``user``, inside that transaction. What was for all others may not
be any more."""

rights_ended = Signal()
"""Somebody is no longer of the staff: ``user``, inside that transaction. What waits for them goes back to the rest."""

acts_read = Signal()
"""A member of staff reads the record of acts: ``reader``. Each receiver returns a Q of the `StaffAct` that they may not
know of."""

history_requested = Signal()
"""Staff look at a person: ``user``, and ``reader``, who looks. Each receiver returns a list of
`accounts.history.Chapter`, with nothing in it that the reader may not know."""
