/** Three calls in three languages; BASE and CHANNEL stand for what the service says of itself. */

/** The languages of programs, as people call them. */
export const LANGUAGES = { curl: 'curl', js: 'JavaScript', python: 'Python' }

export type Language = keyof typeof LANGUAGES

export type CodeExample = { title: string; about: string; code: Record<Language, string> }

export const EXAMPLES: CodeExample[] = [
  {
    title: 'Start a job',
    about:
      'A request sent again with the same Idempotency-Key does not start a second job. Use a new key for each order.',
    code: {
      curl: `curl BASE/jobs \\
  -H "Authorization: Bearer $SCRIPTORIUM_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-$(date +%s)" \\
  -d '{"urls": "CHANNEL", "maxVideos": 10}'`,
      js: `const headers = { Authorization: \`Bearer \${process.env.SCRIPTORIUM_API_KEY}\` }

const started = await fetch('BASE/jobs', {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify({ urls: 'CHANNEL', maxVideos: 10 }),
})
let job = await started.json()`,
      python: `import os, requests, uuid

api = requests.Session()
api.headers["Authorization"] = "Bearer " + os.environ["SCRIPTORIUM_API_KEY"]

job = api.post(
    "BASE/jobs",
    json={"urls": "CHANNEL", "maxVideos": 10},
    headers={"Idempotency-Key": str(uuid.uuid4())},
).json()`,
    },
  },
  {
    title: 'Wait until it is final',
    about:
      'With wait, the server holds the response for up to that many seconds, so you need few requests.',
    code: {
      curl: `curl "BASE/jobs/JOB_ID?wait=30" \\
  -H "Authorization: Bearer $SCRIPTORIUM_API_KEY"`,
      js: `while (['queued', 'running', 'cancelling'].includes(job.state)) {
  job = await (await fetch(\`\${job.links.self}?wait=30\`, { headers })).json()
}`,
      python: `while job["state"] in ("queued", "running", "cancelling"):
    job = api.get(job["links"]["self"], params={"wait": 30}).json()`,
    },
  },
  {
    title: 'Read the transcripts',
    about: 'Page by page with text and timed segments, or everything as one ZIP.',
    code: {
      curl: `curl BASE/jobs/JOB_ID/results \\
  -H "Authorization: Bearer $SCRIPTORIUM_API_KEY"

curl -OJ BASE/jobs/JOB_ID/files/zip \\
  -H "Authorization: Bearer $SCRIPTORIUM_API_KEY"`,
      js: `for (let offset = 0; offset !== null;) {
  const page = await (await fetch(\`\${job.links.results}?offset=\${offset}\`, { headers })).json()
  for (const video of page.videos) console.log(video.title, video.status, video.text?.length)
  offset = page.nextOffset
}`,
      python: `offset = 0
while offset is not None:
    page = api.get(job["links"]["results"], params={"offset": offset}).json()
    for video in page["videos"]:
        print(video["title"], video["status"], len(video["text"] or ""))
    offset = page["nextOffset"]`,
    },
  },
]
