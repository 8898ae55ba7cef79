// What an app does with the generated client, from the login to a scan. Prints `ok: STEP` for each.

import java.time.LocalDate
import java.time.OffsetDateTime
import java.util.UUID
import org.example.recense.apis.AuthenticationApi
import org.example.recense.apis.InventorySessionsApi
import org.example.recense.apis.PurchasesApi
import org.example.recense.apis.ThirdPartiesApi
import org.example.recense.infrastructure.ApiClient
import org.example.recense.infrastructure.ClientError
import org.example.recense.infrastructure.ClientException
import org.example.recense.infrastructure.Serializer
import org.example.recense.models.CreateInventoryDto
import org.example.recense.models.CreatePurchaseDto
import org.example.recense.models.LoginDto
import org.example.recense.models.ProblemDto
import org.example.recense.models.PurchaseDto
import org.example.recense.models.ScanDto
import org.example.recense.models.ScanResultDto

fun setting(name: String): String = requireNotNull(System.getenv(name)) { "$name is not set" }

fun done(step: String) = println("ok: $step")

/** The problem (RFC 9457) of an answer 4xx. */
fun ClientException.problem(): ProblemDto =
    Serializer.moshi.adapter(ProblemDto::class.java).fromJson((response as ClientError<*>).body as String)!!

fun problemOf(call: () -> Any): ProblemDto =
    try {
        throw IllegalStateException("Answered ${call()}")
    } catch (exception: ClientException) {
        exception.problem()
    }

fun main() {
    val url = setting("RECENSE_URL")
    // A proxy that puts words into the answers which this client has never heard of.
    val tomorrow = setting("RECENSE_TOMORROW_URL")

    check(problemOf { AuthenticationApi(url).getMe() }.run { status == 401 && type == "/problems/unauthenticated" })
    done("gets a 401 as a typed problem")

    val credentials = LoginDto(setting("RECENSE_LOGIN"), setting("RECENSE_PASSWORD"), "Kotlin")
    ApiClient.accessToken = AuthenticationApi(url).login(credentials).token
    done("logs in")

    val purchases = PurchasesApi(url)
    val held = mutableMapOf<Int, PurchaseDto>()
    var cursor: String? = ""
    while (cursor != null) {
        val since = OffsetDateTime.parse("2000-01-01T00:00:00Z")
        val page = purchases.listPurchases(2, cursor = cursor, updatedSince = since, includeDeleted = true)
        page.`data`.associateByTo(held) { it.id }
        cursor = page.meta.nextCursor
    }
    check(held.size >= 3)
    val newest = purchases.listPurchases(perPage = 1, sort = PurchasesApi.SortListPurchases.ID_DESC).`data`.single()
    check(newest.id == held.keys.max())
    done("catches up with a list")

    val bought = CreatePurchaseDto(newest.articleId, LocalDate.parse("2026-01-15"), purchasePrice = 1161.71)
    val purchase = purchases.getPurchase(purchases.createPurchase(bought, UUID.randomUUID().toString()).id)
    check(purchase.purchasePrice == 1161.71 && purchase.purchaseDate == bought.purchaseDate)
    done("creates a purchase with a price")

    val sessions = InventorySessionsApi(url)
    val session = sessions.openInventory(CreateInventoryDto(2026, LocalDate.parse("2026-11-16"))).id
    val first = sessions.scanPurchase(session, ScanDto(purchase.code))
    val second = sessions.scanPurchase(session, ScanDto(purchase.code))
    check(first.status == ScanResultDto.Status.success && first.reason == "recorded")
    check(second.status == ScanResultDto.Status.warning && second.reason == "already-scanned")
    done("scans it")

    check(problemOf { purchases.getPurchase(Int.MAX_VALUE) }.run { status == 404 && type == "/problems/not-found" })
    done("gets a 404 as a typed problem")

    val third = InventorySessionsApi(tomorrow).scanPurchase(session, ScanDto(purchase.code))
    check(third.status == ScanResultDto.Status.warning && third.reason == "of-tomorrow" && third.message == "of-tomorrow")
    check("of-tomorrow" in AuthenticationApi(tomorrow).getMe().permissions)
    check(ThirdPartiesApi(tomorrow).listTiers().`data`.first().type == "of-tomorrow")
    check(problemOf { PurchasesApi(tomorrow).getPurchase(Int.MAX_VALUE) }.run { status == 404 && type == "of-tomorrow" })
    done("lives on with words that it does not know")
}
