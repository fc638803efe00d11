/** Ways to tamper with the books, and what the audit says about each. */

/** Each change is made, reported by the audit, and undone. `drop` removes constraints that would refuse it. */
export type Tampering = {
  name: string
  drop?: string
  sql: string
  says: RegExp[]
  things?: number
}

export const tamperingsOf = ({
  jobId,
  rich,
  poor,
}: Record<'jobId' | 'rich' | 'poor', string>): Tampering[] => [
  {
    name: 'an entry made cheaper',
    sql: `update ledger_entry set posted_micros = -8000, held_micros = -8000 where reference = 'charge:${jobId}'`,
    says: [
      /entry 3: it was changed/,
      /available balance|owned is 0\.976, its entries give 0\.984/,
      /charged in the ledger, in micros: 8000, but it should be 16000/,
    ],
  },
  {
    name: 'another reason',
    sql: `update ledger_entry set reason = 'gift' where reference = 'grant:${rich}'`,
    says: [/entry 1: it was changed/],
    things: 1,
  },
  {
    name: 'an entry of a microsecond later',
    sql: `update ledger_entry set created_at = created_at + interval '1 microsecond' where reference = 'grant:${rich}'`,
    says: [/entry 1: its instant has parts below a millisecond/],
    things: 1,
  },
  {
    name: 'an entry taken out',
    sql: `delete from ledger_entry where reference = 'release:${jobId}'`,
    says: [
      /entry 5: the one before it is 3; entries are missing/,
      /entry 5: it follows/,
      /released in the ledger, in micros: 0, but it should be 24000/,
    ],
  },
  {
    name: 'the last entry taken out',
    sql: `delete from ledger_entry where account_id = '${poor}' and number = 3`,
    says: [
      /number of entries is 3, its entries give 2/,
      /head of the chain is \w+, its entries give \w+/,
    ],
  },
  {
    name: 'a whole chain written anew with hashes that do not fit',
    sql: `update ledger_entry set previous_hash = repeat('1', 64) where reference = 'grant:${poor}'`,
    says: [/entry 1: it follows 1+, but the one before is 0+/, /entry 1: it was changed/],
    things: 2,
  },
  {
    name: 'money from nowhere',
    sql: `update balance set posted_micros = posted_micros + 1 where account_id = '${poor}'`,
    says: [/balance: owned is 0\.008001, its entries give 0\.008/],
    things: 1,
  },
  {
    name: 'money set aside for nothing',
    sql: `update balance set held_micros = held_micros + 1 where account_id = '${poor}'`,
    says: [
      /balance: set aside is 0\.000001/,
      /1 micros are set aside, its unsettled jobs reserve 0/,
    ],
    things: 2,
  },
  {
    name: 'a balance without entries',
    sql: `update balance set posted_micros = 5 where entries = 0`,
    says: [/it holds money or counts entries, but there is no entry/],
    things: 1,
  },
  {
    name: 'a balance removed',
    sql: `delete from balance where account_id = '${poor}'`,
    says: [/it has entries but no balance/, /it has no balance/],
    things: 2,
  },
  {
    name: 'a job that delivered more than it charged',
    drop: 'alter table job drop constraint job_charge',
    sql: `update job set charged_micros = 8000 where id = '${jobId}'`,
    says: [
      /charged in the ledger, in micros: 16000, but it should be 8000/,
      /charged on the job, in micros: 8000, but it should be 16000/,
    ],
  },
  {
    name: 'a job charged for a row that was taken away',
    sql: `update video_row set status = 'failed' where job_id = '${jobId}' and index = 1`,
    says: [/rows delivered: 1, but it should be 2/, /transcripts stored: 1, but it should be 2/],
    things: 2,
  },
  {
    name: 'a charge without its text',
    sql: `delete from transcript_body where job_id = '${jobId}'; delete from transcript where job_id = '${jobId}' and index = 2`,
    says: [/transcripts stored: 1, but it should be 2/],
    things: 1,
  },
  {
    name: 'a job given to another account',
    sql: `update job set account_id = '${poor}' where id = '${jobId}'`,
    says: [/one of its entries is another account's/],
    things: 1,
  },
  {
    name: 'a job that vanished',
    sql: `alter table job_source drop constraint job_source_job_id_fkey; alter table video_row drop constraint video_row_job_id_fkey; delete from job where id = '${jobId}'`,
    says: [new RegExp(`there is no job of its reference reserve:${jobId}`)],
    things: 3,
  },
  {
    name: 'a balance below zero',
    drop: 'alter table balance drop constraint balance_available_not_negative',
    sql: `update ledger_entry set posted_micros = 1 where reference = 'grant:${poor}'`,
    says: [/entry 2: the available balance is below zero after it: -0\.007999/],
  },
  {
    name: 'a deleted account that owns money',
    sql: `update account set deleted_at = now(), suspended_at = now() where id = '${poor}'`,
    says: [/balance: the account is deleted and owns 8000 micros; pay them back/],
    things: 1,
  },
  {
    name: 'an entry that is no movement of its kind',
    drop: 'alter table ledger_entry drop constraint ledger_entry_shape; alter table ledger_entry drop constraint ledger_entry_job',
    sql: `update ledger_entry set kind = 'reserve' where reference = 'grant:${poor}'`,
    says: [/entry 1: reserve of 0\.008 and 0\.000 USD is no shape of its kind/],
  },
  {
    name: 'a payment that the ledger does not know',
    sql: `insert into payment (id, account_id, checkout_id, credited_micros) values ('pi_1', '${rich}', 'cs_1', 5)`,
    says: [/payment pi_1: 5 micros were credited, the ledger has 0/],
    things: 1,
  },
]
