/** Programs for copy searches. */

/** Counts primes, in C. */
export const PRIMES = `#include <stdio.h>
#include <stdlib.h>

static int is_prime(int candidate) {
  if (candidate < 2) return 0;
  for (int divisor = 2; divisor * divisor <= candidate; divisor++)
    if (candidate % divisor == 0) return 0;
  return 1;
}

static long sum_digits(long value) {
  long sum = 0;
  while (value > 0) {
    sum += value % 10;
    value /= 10;
  }
  return sum;
}

int main(void) {
  int limit, found = 0;
  long total = 0;
  if (scanf("%d", &limit) != 1) return EXIT_FAILURE;
  for (int number = 0; number <= limit; number++) {
    if (!is_prime(number)) continue;
    found++;
    total += sum_digits(number);
  }
  printf("%d %ld\\n", found, total);
  return 0;
}
`

/** The same program with new names, numbers, comments and layout, and its functions in another order. */
export const PRIMES_DISGUISED = `// My own solution!
#include<stdlib.h>
#include<stdio.h>
/* adds up
   digits */
static long quersumme(long v)
{
    long s = 00;
    while(v > 0){ s += v % 10; /* last one */ v /= 10; }
    return s;
}
static int pruefe(int k)
{
    if(k < 2) return 0; // too small
    for(int t = 2; t*t <= k; t++)
        if(k % t == 0) return 0;
    return 1;
}
int main(void)
{
    int n, z = 0; long g = 0;
    if(scanf("%d",&n)!=1) return EXIT_FAILURE;
    for(int i = 0; i <= n; i++)
    {
        if(!pruefe(i)) continue;
        z++; g += quersumme(i);
    }
    printf("%d and %ld", z, g);
    return 0;
}
`

/** A different program: words by length, in C++. */
export const WORDS = `#include <iostream>
#include <map>
#include <string>
using namespace std;

int main() {
  map<size_t, string> longest;
  string word;
  while (cin >> word) {
    auto place = longest.find(word.size());
    if (place == longest.end() || place->second > word) longest[word.size()] = word;
  }
  for (auto& [length, best] : longest) cout << length << ": " << best << endl;
}
`

/** The program of primes in Python. */
export const PYTHON_PRIMES = `"""Counts primes."""
import sys

def is_prime(candidate):
    '''Whether it has no divisor.'''
    if candidate < 2:
        return False
    divisor = 2
    while divisor * divisor <= candidate:
        if candidate % divisor == 0:
            return False
        divisor += 1
    return True

limit = int(sys.stdin.readline())
found = [number for number in range(limit + 1) if is_prime(number)]
print(len(found), sum(sum(map(int, str(number))) for number in found))
`
