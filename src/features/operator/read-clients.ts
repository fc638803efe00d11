/** Which versions of the platform's apps it no longer accepts, as all workers noticed. */
import type { Db } from '../../store/database.ts'
import { listRetired } from '../../store/retired-clients.ts'

/** The instant since when that version is retired; null where it is not, as far as is known. */
export type RetiredSince = (client: { name: string; version: string }) => Date | null

export async function readRetired(db: Db): Promise<RetiredSince> {
  const rows = await listRetired(db)
  return ({ name, version }) =>
    rows.find((row) => row.name === name && row.version === version)?.retiredAt ?? null
}
