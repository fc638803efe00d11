/** HTML pages, as browsers get them: a client's settings and its initial data in scripts. */
import type { JsonObject, PlatformReply } from '../call.ts'

/** Writes a page with a client's settings and its initial data. */
export function htmlPage({ title, config, data }: HtmlPage): PlatformReply {
  const scripts = Object.entries(data).map(
    ([name, value]) => `<script>var ${name} = ${inScript(value)};</script>`,
  )
  return {
    status: 200,
    type: 'html',
    body:
      '<!DOCTYPE html><html lang="en"><head>' +
      `<title>${title.replaceAll('<', '&lt;')}</title>` +
      `<script>ytcfg.set(${inScript(config)});</script></head>` +
      `<body>${scripts.join('')}</body></html>`,
  }
}

type HtmlPage = { title: string; config: JsonObject; data: Readonly<Record<string, JsonObject>> }

function inScript(value: JsonObject): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
