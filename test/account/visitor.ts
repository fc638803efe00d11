/** A visitor of the website: acts over HTTP with a cookie jar, as a browser's pages do. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { TestService } from '../support/service.ts'
import type { MailBox } from './mail-box.ts'

export type PageReply = { status: number; headers: Headers; body: any; text: string }

export const PASSWORD = 'a long enough sentence'

export class Visitor {
  readonly address: string
  readonly origin: string
  readonly cookies = new Map<string, string>()
  /** Address that a proxy says the visitor comes from; null without a proxy. */
  readonly from: string | null
  /** User agent of the browser; null sends this program's. */
  userAgent: string | null = null

  constructor({
    address,
    origin,
    from = null,
  }: {
    address: string
    origin: string
    from?: string | null
  }) {
    this.address = address
    this.origin = origin
    this.from = from
  }

  /** Sends a request as a page of the site does; `origin` null leaves the header out. */
  async asks(
    method: string,
    path: string,
    body?: unknown,
    origin: string | null = this.origin,
  ): Promise<PageReply> {
    const response = await fetch(`${this.address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookies.size === 0
          ? {}
          : { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(origin === null ? {} : { origin }),
        ...(this.userAgent === null ? {} : { 'user-agent': this.userAgent }),
        ...(this.from === null ? {} : { 'x-forwarded-for': this.from }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      if (/max-age=0/i.test(cookie) || value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parsed(text), text }
  }

  async gets(path: string): Promise<any> {
    const reply = await this.asks('GET', path)
    assert.equal(reply.status, 200, `GET ${path}: ${reply.text.slice(0, 300)}`)
    return reply.body
  }

  signsUp(email: string, password = PASSWORD): Promise<PageReply> {
    return this.asks('POST', '/account/auth/sign-up/email', { email, password })
  }

  signsIn(email: string, password = PASSWORD): Promise<PageReply> {
    return this.asks('POST', '/account/auth/sign-in/email', { email, password })
  }

  /** Opens the link of a sign-up; in another browser than the one that signed up, with the password chosen there. */
  opens(link: string, password?: string): Promise<PageReply> {
    return this.asks('POST', '/account/auth/verify-email', {
      token: tokenOf(link),
      ...(password === undefined ? {} : { password }),
    })
  }
}

export function tokenOf(link: string): string {
  return new URL(link).searchParams.get('token') ?? ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Visitors of a service whose mails are caught as an SMTP server would receive them. */
export function visitorsOf({
  service,
  address,
  database,
}: Pick<TestService, 'service' | 'address' | 'database'>) {
  const origin = address.replace('127.0.0.1', 'localhost')
  return {
    origin,
    visitor: () => new Visitor({ address, origin }),
    service,
    /** Returns how many accounts have this address. */
    async accounts(email: string): Promise<number> {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from account where email = ${email}`.execute(database.db)
      return rows[0]?.n ?? 0
    },
  }
}

/** Members of a service: each signed up, opened the link of the mail, and is signed in. */
export function membersOf(running: TestService, mailBox: Pick<MailBox, 'newestTo'>) {
  const { visitor } = visitorsOf(running)
  return async function member(email: string): Promise<Visitor> {
    const one = visitor()
    assert.equal((await one.signsUp(email)).status, 200)
    assert.equal((await one.opens((await mailBox.newestTo(email)).link ?? '')).status, 200)
    return one
  }
}
