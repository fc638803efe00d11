/** Refunds and disputes with what could not be taken back, and payment events that were refused. */
import type { Db } from '../../store/database.ts'
import { listRefusedEvents, listReportedClaims, type ReportedClaim } from '../../store/payments.ts'
import { shortfall } from '../../model/money/claims.ts'

/** `missingMicros`: what the account no longer had when it was to be taken back. */
export type ClaimReport = ReportedClaim & { missingMicros: bigint }

/** The latest of each, at most `limit`. */
export async function readClaims(
  db: Db,
  limit: number,
): Promise<{ claims: ClaimReport[]; refused: Awaited<ReturnType<typeof listRefusedEvents>> }> {
  const claims = await listReportedClaims(db, limit)
  return {
    claims: claims.map((claim) => ({ ...claim, missingMicros: shortfall(claim) })),
    refused: await listRefusedEvents(db, limit),
  }
}
