/** The page that explains an account's export to whoever opens it, without us. */

export const README = `This is everything that Scriptorium keeps of one account, as it stood when the file was made.

account.json             who may use the account: address and its last changes, API keys (names and
                         beginnings, never the secrets), connected apps, webhooks, followed channels;
                         and the balance
statement.csv            every entry of the ledger, newest first, with the hashes that chain them
signing-keys.json        the public keys that sign receipts (Ed25519, raw bytes in base64)
jobs/DATE-ID/            one folder for each job:
  job.json                 what was asked for and how it ended
  report.csv               one line for each video: what came of it and what it cost
  transcripts.zip          the texts (.txt) and their timed segments (.json), and all of them in one file
  receipt.json             what was delivered and charged, signed

To check a receipt without us, take \`signature\` out and write the rest as JSON with the names of every
object sorted and nothing between the tokens, in UTF-8: signature.value (base64) signs those bytes, by the
key whose id is signature.keyId. delivered[].textSha256 is the SHA-256 of a transcript's segments, their
texts joined by single spaces. Keys are published at the receipt's issuer, too, for those who trust no file:
/.well-known/scriptorium-keys.json. The project's program for it needs nothing else of the project:
  npm run verify-receipt -- receipt.json --keys signing-keys.json --statement statement.csv

Instants are UTC. Amounts are US dollars. Segments have startMs and endMs in milliseconds.
A job whose texts were deleted has no transcripts.zip. A job that was still running when the file was
made has no receipt.json, and only what was delivered until then.
`
