/** Programs of the demo's students for one problem, two of which look as if one had been made from the other. */
import { setTimeout as delay } from 'node:timers/promises'
import { copycatStarted, copycatState } from '#contract/copycat'
import { problemPage } from '#contract/problems'
import { submissionCreated, submissionPage } from '#contract/submissions'
import { createApiClient } from '../api-client.ts'
import { PlainError } from '../plain-error.ts'
import { DEMO_PASSWORD } from './accounts.ts'
import { divisorProblem } from './divisors.ts'

/** How often, and how long apart, the report is asked for. */
const TRIES = 150
const PAUSE_MS = 200

const ORIGINAL = `#include <stdio.h>

/* Sum of all divisors of n, by pairs. */
static long long divisor_sum(long long n)
{
    long long sum = 0;
    for (long long d = 1; d * d <= n; d++) {
        if (n % d != 0)
            continue;
        sum += d;
        if (d != n / d)
            sum += n / d;
    }
    return sum;
}

static const char *kind(long long n, long long sum)
{
    if (sum == 2 * n)
        return "perfect";
    return sum < 2 * n ? "deficient" : "abundant";
}

int main(void)
{
    long long n;
    if (scanf("%lld", &n) != 1)
        return 1;
    long long sum = divisor_sum(n);
    printf("%lld\\n", sum);
    printf("%s\\n", kind(n, sum));
    return 0;
}
`

/** The functions the other way round, other names, other comments, another layout. */
const COPY = `#include <cstdio>
using namespace std;

// deficient, perfect or abundant?
static const char *artOf(long long number, long long total) {
    if (total == 2 * number) return "perfect";
    return total < 2 * number ? "deficient" : "abundant";
}

// adds up i and number / i
static long long addUp(long long number) {
    long long total = 0;
    for (long long i = 1; i * i <= number; i++) {
        if (number % i != 0) continue; // no divisor
        total += i;
        if (i != number / i) total += number / i;
    }
    return total;
}

int main() {
    long long number;
    scanf("%lld", &number);
    long long total = addUp(number);
    printf("%lld\\n", total);
    printf("%s\\n", artOf(number, total));
    return 0;
}
`

const OWN_WAY = `#include <iostream>
#include <string>

int main() {
    unsigned long long value = 0, rest = 0, product = 1;
    std::cin >> value;
    rest = value;
    for (unsigned long long prime = 2; prime * prime <= rest; ++prime) {
        unsigned long long power = 1, series = 1;
        while (rest % prime == 0) {
            rest /= prime;
            power *= prime;
            series += power;
        }
        product *= series;
    }
    if (rest > 1) product *= rest + 1;
    std::string word = "perfect";
    if (product < 2 * value) word = "deficient";
    else if (product > 2 * value) word = "abundant";
    std::cout << product << '\\n' << word << std::endl;
}
`

const PROGRAMS = [
  { username: 'student2', languageType: 0, code: ORIGINAL },
  { username: 'student3', languageType: 1, code: COPY },
  { username: 'student4', languageType: 1, code: OWN_WAY },
] as const

/** Hands them in, unless somebody already has; answers the problem. Needs the demo course. */
export async function handInCopies(url: string, signal?: AbortSignal): Promise<number> {
  const teacher = createApiClient(url, signal)
  await teacher.login('teacher', DEMO_PASSWORD)
  const { items } = await teacher.call('GET', '/problem?course=Demo&limit=200', problemPage)
  const { problemName } = divisorProblem().form
  const problemId = items.find((item) => item.problemName === problemName)?.problemId
  if (problemId === undefined) throw new PlainError('The demo course is not there.')
  const path = `/submission?course=Demo&problemId=${problemId}&limit=1`
  const there = await teacher.call('GET', path, submissionPage)
  if (there.submissions.length > 0) return problemId
  for (const { username, ...program } of PROGRAMS) {
    const student = createApiClient(url, signal)
    await student.login(username, DEMO_PASSWORD)
    await student.call('POST', '/submission', submissionCreated, {
      json: { problemId, ...program },
    })
  }
  return problemId
}

/** Has copies looked for among a problem's submissions, and waits for the report. */
export async function findCopies(url: string, problemId: number): Promise<void> {
  const teacher = createApiClient(url)
  await teacher.login('teacher', DEMO_PASSWORD)
  const json = { course: 'Demo', problemId }
  await teacher.call('POST', '/copycat', copycatStarted, { json })
  for (let tries = 0; tries < TRIES; tries += 1) {
    const path = `/copycat?course=Demo&problemId=${problemId}`
    if ((await teacher.call('GET', path, copycatState)).state === 'done') return
    await delay(PAUSE_MS)
  }
  throw new PlainError('The search for copies does not end.')
}
