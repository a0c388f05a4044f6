/**
 * `npm run sentences -- --seed 7 --count 100`: draws sentences from app texts, pages and comments, a third of each,
 * to see which have to be read twice. From the same texts the same seed draws the same sentences.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ERRORS } from '#contract/errors'
import { seededNumbers } from './demo/problem.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'
import { commentsOf, paragraphsOf, sentencesOf, textsIn } from './sentences.ts'

const MIN_WORDS = 4
const APP_TEXTS = ['', 'pages/', 'staff/'].map((folder) => `web/i18n/${folder}english.json`)

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** All sentences by kind, each with its file. */
function collect(): Map<string, string[]> {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const from = (file: string, texts: string[]) =>
    texts
      .flatMap(sentencesOf)
      .filter((sentence) => sentence.split(' ').length >= MIN_WORDS)
      .map((sentence) => `${file}: ${sentence}`)
  const pages = files.filter((file) => file.endsWith('.md'))
  const programs = files.filter((file) => /^(?:runner|scripts|web|worker)\/.*\.tsx?$/.test(file))
  return new Map([
    [
      'app texts',
      [
        ...APP_TEXTS.flatMap((file) => from(file, textsIn(JSON.parse(read(file))))),
        ...from('worker/contract/errors.ts', textsIn(Object.values(ERRORS))),
      ],
    ],
    ['pages', pages.flatMap((file) => from(file, paragraphsOf(read(file))))],
    ['comments', programs.flatMap((file) => from(file, commentsOf(file, read(file))))],
  ])
}

function wholeNumber(name: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new PlainError(`--${name} needs a whole number, not “${value}”.`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '7' }, count: { type: 'string', default: '100' } },
  })
  const number = seededNumbers(wholeNumber('seed', values.seed))
  const count = wholeNumber('count', values.count)
  const kinds = [...collect()]
  for (const [index, [kind, sentences]] of kinds.entries()) {
    console.log(`\n${kind} (${sentences.length} sentences)`)
    const wanted = Math.floor((count + index) / kinds.length)
    for (let drawn = 0; drawn < wanted && sentences.length > 0; drawn++)
      console.log(`- ${sentences.splice(number(0, sentences.length - 1), 1)[0]}`)
  }
}

await runCommand(main)
