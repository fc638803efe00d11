/** The Python client against the real service, behind a network with faults: the same names and answers. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { NotFoundError, Scriptorium } from '../../clients/typescript/src/index.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../clients/python')
const CHANNEL = 'https://www.youtube.com/@smallworkshop'
const run = promisify(execFile)

/** A program that prints what it saw as JSON; the faults of the proxy come in the order of its requests. */
const PROGRAM = `
import contextlib, io, json, sys
import scriptorium_client as sc

client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2], backoff=0.005)
seen = {}
seen["texts"] = {v["videoId"]: v["text"] for v in client.transcripts(sys.argv[3], max_videos=10)}
job = client.jobs.list(limit=1)["jobs"][0]
seen["job"] = client.jobs.wait(job["id"])
seen["rows"] = [v["index"] for v in client.jobs.results(job["id"])]
seen["zip"] = client.files.zip(job["id"]).read().hex()
seen["report"] = client.files.report(job["id"]).read().decode()
seen["preview"] = client.preview(sys.argv[3], max_videos=3)
seen["balance"] = client.balance()
words = next(iter(seen["texts"].values())).split()[0]
seen["search"] = [h["videoId"] for h in client.search(words, limit=4)]
seen["mentions"] = [m["url"] for m in client.mentions(words, limit=3)]
seen["mentionsTotal"] = client.mentions_page(words)["total"]
seen["mentionsCsv"] = client.mentions_csv(words).read().decode("utf-8-sig")
collections = client.library.list()
seen["collections"] = collections
channel = client.library.get(collections["collections"][0]["id"])
seen["library"] = [v["videoId"] for v in client.library.videos(channel["id"], status="success")]
seen["video"] = client.library.video(job["id"], seen["rows"][0])
spoken = next(i for i in seen["rows"] if client.library.video(job["id"], i)["hasWordTimes"])
seen["spoken"] = [spoken, client.files.words(job["id"], spoken)["words"], client.files.words_vtt(job["id"], spoken).read().decode()]
with contextlib.redirect_stdout(io.StringIO()) as printed:
    exec(sys.argv[4], {"client": client, "job_id": job["id"], "index": spoken})
seen["printed"] = printed.getvalue()
seen["wordsZip"] = client.files.zip(job["id"], formats=["text"], exports=["words"]).read().hex()
seen["passages"] = client.library.file(channel["id"], "passages", seconds=30).read().decode()
seen["channelZip"] = client.library.file(channel["id"], "zip", formats=["text", "srt"]).read().hex()
followed = client.subscriptions.create("@dailynotes", monthly_cap="0.5", every_hours=6)
found = client.subscriptions.find("@dailynotes")
changed = client.subscriptions.change(followed["id"], monthly_cap="1", every_hours=None, state="paused")
client.subscriptions.remove(followed["id"])
seen["followed"] = [
    followed["everyHours"],
    found is not None and found["id"] == followed["id"],
    [changed["monthlyCap"], changed["state"], "everyHours" in changed],
    client.subscriptions.list()["total"],
]
project = client.projects.create("Häuser", tags=["a"])
added = client.projects.add(project["id"], job=job["id"])
client.projects.change(project["id"], note="n")
client.projects.take(project["id"], client.library.videos_page(project["id"])["videos"][0]["videoId"])
named = client.projects.find("Häuser")
client.projects.remove(project["id"])
seen["projects"] = [
    added["added"] - (named or project)["videos"],
    added["refused"],
    named is not None and named["note"],
    client.projects.list()["total"],
]
seen["refusals"] = []
stranger = sc.Scriptorium(api_key="sk_none", base_url=sys.argv[2])
for call in (
    lambda: client.jobs.get("../balance"),
    lambda: client.library.get(".."),
    lambda: client.jobs.start("https://example.org"),
    lambda: client.jobs.start("zzzzzzzzzz1", max_videos=0),
    stranger.balance,
):
    try:
        call()
    except sc.ApiError as error:
        seen["refusals"].append([type(error).__name__, error.code, error.status, error.field, len(error.request_id or "")])
receipt = client.jobs.receipt(job["id"])
issuer = receipt["issuer"]
rows = client.jobs.results_page(job["id"])["videos"]
sc.verify_receipt(receipt, issuer=issuer, videos=rows)
seen["problems"] = []
for changed in ({**receipt, "charged": "9.000"}, {**receipt, "accountId": "acc_other"}):
    try:
        sc.verify_receipt(changed, issuer=issuer)
    except sc.ReceiptError as error:
        seen["problems"].append(error.problems)
seen["unread"] = []
for elsewhere in ("http://127.0.0.1:9", issuer + "/api/v1"):
    try:
        sc.verify_receipt({**receipt, "issuer": elsewhere}, issuer=elsewhere)
    except sc.ScriptoriumError as error:
        seen["unread"].append([type(error).__name__, error.code, str(error).split(" http")[0]])
print(json.dumps(seen))
`

test(
  'the Python client orders, reads, retries and checks as the other one does',
  needs('python3'),
  async () => {
    const { address, customer } = await sharedService({ after })
    const faults: Fault[] = ['cut before', 'cut after', 'none', '503']
    let isZipCut = false
    const choose = ({ url }: IncomingMessage): Fault => {
      if (isZipCut || url?.endsWith('/files/zip') !== true) return faults.shift() ?? 'none'
      isZipCut = true
      return 'cut within'
    }
    const proxy = await faultyProxy({ after }, address, { choose })
    const { apiKey } = await customer('10')
    const readme = fs.readFileSync(path.join(FOLDER, 'README.md'), 'utf8')
    const [, example = ''] = /```python\n(for word in [^`]+)```/.exec(readme) ?? []
    const args = ['-c', PROGRAM, apiKey, proxy.address, CHANNEL, example]
    const { stdout } = await run('python3', args, {
      env: { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' },
      maxBuffer: 50_000_000,
    })
    const seen = JSON.parse(stdout)

    const client = new Scriptorium({ apiKey, baseUrl: address })
    const { jobs, total } = await client.jobs.list()
    assert.equal(total, 1, 'retries started no second job')
    const [job] = jobs.slice(-1)
    const rows = []
    for await (const row of client.jobs.results(job!.id)) rows.push(row)
    const delivered = rows.filter(({ text }) => text !== null)
    assert.ok(delivered.length > 0)
    assert.deepEqual(
      seen.texts,
      Object.fromEntries(delivered.map((row) => [row.videoId, row.text])),
    )
    assert.deepEqual(seen.job, job)
    assert.deepEqual(
      seen.rows,
      rows.map(({ index }) => index),
    )
    const zip = await new Response(await client.files.zip(job!.id)).arrayBuffer()
    assert.equal(seen.zip, Buffer.from(zip).toString('hex'))
    assert.ok(isZipCut)
    assert.deepEqual(seen.balance, await client.balance())
    assert.deepEqual([seen.preview.state, seen.preview.input.maxVideos], ['ready', 3])
    assert.ok(seen.search.length > 0)
    assert.equal(seen.mentions.length, seen.mentionsTotal)
    for (const url of seen.mentions) assert.ok(seen.mentionsCsv.includes(url))
    for (const videoId of seen.search) assert.ok(videoId in seen.texts)
    assert.deepEqual(seen.collections, await client.library.list())
    assert.deepEqual(new Set(seen.library), new Set(Object.keys(seen.texts)))
    const [first] = rows
    assert.deepEqual(seen.video, await client.library.video(job!.id, first!.index))
    const [spoken, words, vtt] = seen.spoken
    assert.deepEqual({ words }, await client.files.words(job!.id, spoken))
    assert.equal(vtt, await new Response(await client.files.wordsVtt(job!.id, spoken)).text())
    const [said] = words
    assert.equal(seen.printed.split('\n').length, words.length + 1)
    assert.ok(seen.printed.startsWith(`${said.startMs / 1000} ${said.text} `))
    const zipped = unzipped(Buffer.from(seen.wordsZip, 'hex'))
    assert.deepEqual(JSON.parse(zipped.get(`${spoken}.words.json`) ?? ''), { words })
    const [channel] = (await client.library.list()).collections
    const passages = await client.library.file(channel!.id, 'passages', { seconds: 30 })
    assert.equal(seen.passages, await new Response(passages).text())
    const channelZip = await client.library.file(channel!.id, 'zip', { formats: ['text', 'srt'] })
    assert.ok(
      Buffer.from(seen.channelZip, 'hex').equals(
        Buffer.from(await new Response(channelZip).arrayBuffer()),
      ),
    )
    await assert.rejects(client.library.get('..'), NotFoundError)
    assert.deepEqual(seen.followed, [6, true, ['1.000', 'paused', false], 0])
    assert.deepEqual(seen.projects, [1, [], 'n', 0])
    assert.deepEqual(seen.refusals, [
      ['NotFoundError', 'not_found', 404, null, 36],
      ['NotFoundError', 'not_found', 404, null, 36],
      ['InvalidUrlError', 'invalid_url', 400, 'urls', 36],
      ['InvalidRequestError', 'invalid_request', 400, 'maxVideos', 36],
      ['UnauthorizedError', 'unauthorized', 401, null, 36],
    ])
    assert.match(seen.problems[0].join(), /signature does not match.*charged is not transcripts/)
    assert.match(seen.problems[1].join(), /signature does not match.*entry \d+ was changed/)
    const unread = 'The keys of the issuer could not be read:'
    assert.deepEqual(seen.unread, [
      ['ConnectionLostError', 'connection_lost', unread],
      ['UnauthorizedError', 'unauthorized', unread],
    ])
  },
)

/** Orders the same list again, whole and by day, and prints what came of each video as JSON. */
const REPEATING = `
import json, sys
import scriptorium_client as sc

client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2])
seen = {"texts": {v["videoId"]: v["text"] for v in client.transcripts(sys.argv[3], max_videos=10)}}
days = [v["publishedAt"] for v in client.jobs.results(client.jobs.list()["jobs"][0]["id"]) if v["text"]]
told = []
again = {v["videoId"]: v["text"] for v in client.transcripts(sys.argv[3], max_videos=10, on_skipped=told.append)}
seen["again"] = [again.get(video) for video in seen["texts"]]
seen["told"] = [[v["videoId"] in again, v["status"], v["label"] != ""] for v in told]
day = days[0][:10]
bounds = {"published_after": day, "published_before": day}
seen["ofDay"] = [v["publishedAt"][:10] == day for v in client.transcripts(sys.argv[3], **bounds)]
seen["without"] = [v["videoId"] for v in client.transcripts(sys.argv[3], earlier=False, **bounds)]
print(json.dumps(seen))
`

test(
  'a Python script that runs twice gets the same texts twice, and hears of every other video',
  needs('python3'),
  async () => {
    const { address, customer } = await sharedService({ after })
    const { apiKey } = await customer('10')
    const { stdout } = await run('python3', ['-c', REPEATING, apiKey, address, CHANNEL], {
      env: { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' },
      maxBuffer: 50_000_000,
    })
    const seen = JSON.parse(stdout)
    assert.deepEqual(seen.again, Object.values(seen.texts))
    assert.ok(seen.told.length > 0)
    for (const told of seen.told)
      assert.deepEqual([told[0], told[1] === 'success', told[2]], [false, false, true])
    assert.ok(seen.ofDay.length > 0 && seen.ofDay.every((isOfDay: boolean) => isOfDay))
    assert.deepEqual(seen.without, [])
  },
)

/** Saves a job's texts under a name that is free, and over a link to another file, and prints the error of that. */
const SAVING = `
import os, sys
import scriptorium_client as sc

client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2])
job = client.jobs.wait(client.jobs.start("QIyCJblUw9E")["id"])
os.chdir(sys.argv[3])
client.files.text(job["id"]).save("free.txt")
client.files.text(job["id"]).save("free.txt")
try:
    client.files.text(job["id"]).save("link.txt")
except OSError as error:
    print(error)
`

test(
  'the Python client saves a file, and writes over none that a planted link names',
  needs('python3'),
  async () => {
    const { address, customer } = await sharedService({ after })
    const { apiKey } = await customer('10')
    const folder = temporaryFolder({ after })
    fs.writeFileSync(path.join(folder, 'precious'), 'kept')
    fs.symlinkSync('precious', path.join(folder, 'link.txt'))
    const { stdout } = await run('python3', ['-c', SAVING, apiKey, address, folder], {
      env: { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' },
    })
    const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8')
    assert.equal(read('precious'), 'kept')
    assert.match(stdout, /it is a link, which is not followed: name the file itself: 'link\.txt'/)
    assert.match(read('free.txt'), /^Index: 1\n/)
  },
)

/** Reads every annotation as programs do that check answers at run time; Python itself never looks at them. */
const HINTS = `
import typing, scriptorium_client as sc
types = [one for one in vars(sc).values() if hasattr(one, "__total__")]
print(sum(len(typing.get_type_hints(one)) > 0 for one in types) == len(types) > 0)
`

test('the types of the Python client name types that there are', needs('python3'), () => {
  const env = { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' }
  assert.equal(execFileSync('python3', ['-c', HINTS], { env, encoding: 'utf8' }), 'True\n')
})

test('the Python client is typed', needs('mypy'), () => {
  const file = path.join(FOLDER, 'scriptorium_client.py')
  execFileSync('python3', ['-m', 'mypy', '--strict', '--cache-dir', '/dev/null', file])
})
