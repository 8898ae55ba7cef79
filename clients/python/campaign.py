"""What an app does with the generated client, from the login to a scan. Prints `ok: STEP` for each."""

import os
from datetime import UTC, date, datetime
from typing import TypeVar
from uuid import uuid4

from recense_client import AuthenticatedClient, Client
from recense_client.api.authentication import get_me, login
from recense_client.api.inventory_sessions import open_inventory, scan_purchase
from recense_client.api.purchases import create_purchase, get_purchase, list_purchases
from recense_client.api.third_parties import list_tiers
from recense_client.models import (
    CreateInventoryDto,
    CreatePurchaseDto,
    InventoryDto,
    LoginAnswerDto,
    LoginDto,
    MeDto,
    ProblemDto,
    PurchaseDetailDto,
    PurchaseDto,
    PurchasePage,
    ScanDto,
    ScanResultDto,
    ScanResultDtoStatus,
    TierPage,
)
from recense_client.models.list_purchases_sort import ListPurchasesSort

T = TypeVar("T")
URL = os.environ["RECENSE_URL"]
# A proxy that puts words into the answers which this client has never heard of.
TOMORROW = os.environ["RECENSE_TOMORROW_URL"]


class Problem(Exception):
    """An answer that is no success (RFC 9457)."""

    def __init__(self, problem: ProblemDto) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def expect(kind: type[T], answer: object) -> T:
    if isinstance(answer, ProblemDto):
        raise Problem(answer)
    if not isinstance(answer, kind):
        raise TypeError(f"{answer} is no {kind}")
    return answer


def done(step: str) -> None:
    print(f"ok: {step}", flush=True)


credentials = LoginDto(login=os.environ["RECENSE_LOGIN"], password=os.environ["RECENSE_PASSWORD"], device_name="Python")
token = expect(LoginAnswerDto, login.sync(client=Client(URL), body=credentials)).token
client = AuthenticatedClient(URL, token)
done("logs in")

held: dict[int, PurchaseDto] = {}
cursor: str | None = ""
while cursor is not None:
    page = expect(
        PurchasePage,
        list_purchases.sync(
            client=client, cursor=cursor, updated_since=datetime(2000, 1, 1, tzinfo=UTC), include_deleted=True, per_page=2
        ),
    )
    held.update({purchase.id: purchase for purchase in page.data})
    cursor = page.meta.next_cursor
assert len(held) >= 3
newest = expect(PurchasePage, list_purchases.sync(client=client, sort=ListPurchasesSort.ID_DESC, per_page=1)).data[0]
assert newest.id == max(held)
done("catches up with a list")

created = create_purchase.sync(
    client=client,
    body=CreatePurchaseDto(article_id=newest.article_id, purchase_date=date(2026, 1, 15), purchase_price=1161.71),
    idempotency_key=str(uuid4()),
)
purchase = expect(PurchaseDetailDto, get_purchase.sync(expect(PurchaseDetailDto, created).id, client=client))
assert purchase.purchase_price == 1161.71
assert purchase.purchase_date == date(2026, 1, 15)
done("creates a purchase with a price")

opened = open_inventory.sync(client=client, body=CreateInventoryDto(year=2026, inventory_date=date(2026, 11, 16)))
session = expect(InventoryDto, opened).id


def scan(service: AuthenticatedClient, code: str) -> ScanResultDto:
    return expect(ScanResultDto, scan_purchase.sync(session, client=service, body=ScanDto(code=code)))


first, second = scan(client, purchase.code), scan(client, purchase.code)
assert (first.status, first.reason) == (ScanResultDtoStatus.SUCCESS, "recorded")
assert (second.status, second.reason) == (ScanResultDtoStatus.WARNING, "already-scanned")
done("scans it")

unauthenticated = get_me.sync(client=AuthenticatedClient(URL, "1|nonsense"))
assert isinstance(unauthenticated, ProblemDto)
assert (unauthenticated.status, unauthenticated.type_) == (401, "/problems/unauthenticated")
done("gets a 401 as a typed problem")

missing = get_purchase.sync(2147483647, client=client)
assert isinstance(missing, ProblemDto)
assert (missing.status, missing.type_) == (404, "/problems/not-found")
done("gets a 404 as a typed problem")

tomorrow = AuthenticatedClient(TOMORROW, token)
third = scan(tomorrow, purchase.code)
assert (third.status, third.reason, third.message) == (ScanResultDtoStatus.WARNING, "of-tomorrow", "of-tomorrow")
assert "of-tomorrow" in expect(MeDto, get_me.sync(client=tomorrow)).permissions
assert expect(TierPage, list_tiers.sync(client=tomorrow)).data[0].type_ == "of-tomorrow"
unknown = get_purchase.sync(2147483647, client=tomorrow)
assert isinstance(unknown, ProblemDto)
assert (unknown.status, unknown.type_) == (404, "of-tomorrow")
done("lives on with words that it does not know")
