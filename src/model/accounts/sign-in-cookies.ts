/** The cookies of sign-in beside the session's: which browser signed up, and which devices are known. */

/** Behind HTTPS a browser takes `__Host-` cookies from this host alone: no neighbour can plant one. */
export function cookiePrefix(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-scriptorium' : 'scriptorium'
}

export function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:'
}

export type CookieJar = {
  /** The value in a request's Cookie header, or null. */
  read(header: string | undefined): string | null
  /** The Set-Cookie header that keeps `value`, out of reach of scripts. */
  keep(value: string, seconds: number): string
}

export function cookieJar(publicUrl: string, name: 'sign_up' | 'device'): CookieJar {
  const full = `${cookiePrefix(publicUrl)}.${name}`
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return {
    read(header = '') {
      const found = header
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${full}=`))
      return found === undefined ? null : found.slice(full.length + 1)
    },
    keep: (value, seconds) =>
      `${full}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  }
}
