/** OpenStack Swift on this machine with its s3api: four processes, files in a temporary folder, one bucket. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { AwsV4Signer } from 'aws4fetch'
import { request } from 'undici'
import type { TestScope } from './database.ts'
import { freePort } from './service-process.ts'
import { until } from './until.ts'

const [ACCESS_KEY, SECRET] = ['test:tester', 'testing']
const STORES = ['account', 'container', 'object'] as const

/** Starts it. Returns the settings of a service that uses it. */
export async function startSwift(scope: TestScope): Promise<Record<string, string>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'swift-'))
  fs.mkdirSync(path.join(folder, 'devices/disk'), { recursive: true })
  const proxyPort = await freePort()
  const own = `bind_ip = 127.0.0.1\nworkers = 0\nuser = ${os.userInfo().username}\nswift_dir = ${folder}\nlog_level = ERROR`
  const programs = ['proxy', ...STORES].map((name) => [`swift-${name}-server`, `${name}.conf`])
  for (const name of STORES) {
    const port = await freePort()
    fs.writeFileSync(
      path.join(folder, `${name}.conf`),
      `[DEFAULT]\n${own}\nbind_port = ${port}\ndevices = ${folder}/devices\nmount_check = false
[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    )
    for (const ring of [
      ['create', '4', '1', '0'],
      ['add', `r1z1-127.0.0.1:${port}/disk`, '1'],
      ['rebalance'],
    ])
      spawnSync('swift-ring-builder', [`${name}.builder`, ...ring], { cwd: folder })
  }
  fs.writeFileSync(
    path.join(folder, 'proxy.conf'),
    `[DEFAULT]\n${own}\nbind_port = ${proxyPort}
[pipeline:main]\npipeline = catch_errors cache listing_formats s3api tempauth proxy-server
[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true
[filter:catch_errors]\nuse = egg:swift#catch_errors
[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:1
[filter:listing_formats]\nuse = egg:swift#listing_formats
[filter:s3api]\nuse = egg:swift#s3api\nlocation = us-east-1
[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = ${SECRET} .admin\n`,
  )
  const processes = programs.map(([program = '', conf = '']) =>
    spawn(program, [conf], { cwd: folder, stdio: 'ignore' }),
  )
  scope.after(async () => {
    for (const one of processes) {
      const over = once(one, 'exit')
      if (one.exitCode === null && one.kill()) await over
    }
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const endpoint = `http://127.0.0.1:${proxyPort}`
  await until('Swift answers', () => makeBucket(`${endpoint}/texts`).catch(() => false))
  return {
    TEXT_STORE: `s3://texts/some/prefix?endpoint=${endpoint}`,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
  }
}

async function makeBucket(url: string): Promise<boolean> {
  const given = { service: 's3', region: 'us-east-1', method: 'PUT', url }
  const keys = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET }
  const { headers } = await new AwsV4Signer({ ...given, ...keys }).sign()
  const { statusCode } = await request(url, {
    method: 'PUT',
    headers: Object.fromEntries(headers),
  })
  return statusCode === 200
}
