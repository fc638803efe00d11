/** Returns `fetch` for public clients, which name the real hosts: it sends every request to the emulator. */
export function redirected(origin: string): typeof fetch {
  return (input, init) => {
    const request = input instanceof Request ? input : null
    const { pathname, search } = new URL(request?.url ?? String(input))
    if (request === null) return fetch(`${origin}${pathname}${search}`, init)
    const { method, headers } = request
    const body = method === 'POST' ? { body: request.body, duplex: 'half' as const } : {}
    return fetch(`${origin}${pathname}${search}`, {
      method,
      headers,
      ...body,
      ...init,
    } as RequestInit)
  }
}
