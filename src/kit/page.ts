/** A page of a list, as every interface asks for it and answers. */

export type PageRequest = { offset: number; limit: number }

/** Where a page stands in its list; `nextOffset` is null on the last page. */
export type PageInfo = PageRequest & { total: number; nextOffset: number | null }

export function pageInfo({ offset, limit }: PageRequest, total: number): PageInfo {
  const next = offset + limit
  return { total, offset, limit, nextOffset: next < total ? next : null }
}
