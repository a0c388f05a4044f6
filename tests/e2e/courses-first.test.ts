/** A teacher's first hour: from an account without a course to a running homework. */
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { runningHomework } from '#contract/homeworks'
import { signIn, untilSignedIn } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { newVisitor } from '../support/browser.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { clientOf, sharedJudge } from '../support/stack.ts'

/** An action uses a control, fills in a field or chooses a file. */
const MOST_ACTIONS = 30

/** A zip with a sample case and a secret case. */
async function testData() {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, number] of Object.entries({ '0000': 1, '0100': 21 })) {
    await writer.add(`${name}.in`, new TextReader(`${number}\n`))
    await writer.add(`${name}.out`, new TextReader(`${2 * number}\n`))
  }
  const buffer = Buffer.from(await writer.close())
  return { name: 'double.zip', mimeType: 'application/zip', buffer }
}

test.each(WAYS)(
  'an account without a course has a running homework after few actions: by $by, $on',
  async (way) => {
    const { url } = await sharedJudge()
    const admin = await clientOf(url, 'admin')
    const teacher = `new${way.by}${way.on}`
    const course = `First steps by ${way.by} ${way.on}`
    const problem = `Double it by ${way.by} ${way.on}`
    await admin.call('POST', '/user', z.unknown(), {
      json: {
        username: teacher,
        email: `${teacher}@example.org`,
        displayedName: 'New teacher',
        role: 1,
        password: DEMO_PASSWORD,
      },
    })
    const hands = await visitorBy(url, way, null)
    const { page } = hands
    const main = page.getByRole('main')
    const field = (name: string) => main.getByRole('textbox', { name, exact: true })
    const steps = (done: number) => page.getByText(`${done} of 5 steps are done.`).waitFor()

    await page.goto('/')
    await hands.write(field('Username or email'), teacher)
    await hands.write(field('Password'), DEMO_PASSWORD)
    await untilSignedIn(page, () => hands.press('Sign in'))
    if (way.on === 'phone') await hands.press('Open the menu')
    await hands.open('Courses')
    await hands.open('New course')
    await hands.write(field('Course name'), course)
    await hands.press('Create course')
    await steps(0)

    await hands.open('Add the members')
    await hands.write(field('Add people'), 'student3 student4@example.org')
    await hands.press('Add')
    await page.getByRole('link', { name: 'student4' }).waitFor()
    await hands.open('Announcements')
    await steps(1)

    await hands.open('Write a problem')
    await hands.write(field('Problem name'), problem)
    await hands.use(page.getByRole('switch', { name: 'Hidden' }), 'Space')
    await hands.write(field('Description'), 'Read $n$, print $2n$.')
    await hands.pick(page.getByLabel(/^Drop the test data zip here/), await testData())
    await page.getByText('will be uploaded on saving').waitFor()
    await hands.use(page.getByLabel('Samples: students see input and output').first(), 'Space')
    await hands.press('Save')
    await page.getByRole('heading', { name: problem }).waitFor()
    await hands.open('Announcements')
    await steps(3)

    await hands.open('Add the problem to a homework')
    await hands.write(field('Name'), 'Homework 1')
    await hands.suggest(main.getByLabel('Problems').first(), problem)
    await hands.press('Save')
    await page.getByRole('heading', { name: 'Homework 1' }).waitFor()
    await page.getByText('0 of 2 handed in').waitFor()
    await hands.open('Announcements')
    await steps(4)

    await hands.open('Post an announcement')
    await hands.write(field('Title'), 'Welcome')
    await hands.press('Save')
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await hands.open('Announcements')
    await page.getByRole('link', { name: 'Welcome' }).waitFor()
    expect(await page.getByText('steps are done').count()).toBe(0)

    expect(hands.actions).toBeLessThanOrEqual(MOST_ACTIONS)
    const student = await clientOf(url, 'student3')
    const running = await student.call('GET', '/homework', z.array(runningHomework))
    const made = running.find((homework) => homework.course === course)
    expect(made?.problems.map(({ problemName }) => problemName)).toEqual([problem])

    const visitor = await newVisitor(url)
    await signIn(visitor, 'student3')
    await visitor.getByText('0 of 1 solved').first().waitFor()
    await visitor.getByRole('link', { name: problem }).click()
    await visitor.locator('h1', { hasText: problem }).waitFor()
    await visitor.getByRole('link', { name: 'Homework 1' }).waitFor()
    await visitor.getByText('Not begun').first().waitFor()
  },
)
