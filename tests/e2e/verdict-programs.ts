/** Programs for the problem "read n, print 2n" (1 s, 256 MB): one for every verdict, and some in each language. */
import { STATUS, type Verdict } from '#contract/verdicts'

interface VerdictProgram {
  status: Exclude<Verdict, 6>
  /** 0 C, 1 C++, 2 Python 3. */
  languageType: 0 | 1 | 2
  code: string
}

export const VERDICT_PROGRAMS: VerdictProgram[] = [
  {
    status: STATUS.AC,
    languageType: 0,
    code: '#include <stdio.h>\nint main(void){long n;scanf("%ld",&n);printf("%ld",2*n);}',
  },
  { status: STATUS.WA, languageType: 2, code: 'print("forty-two")' },
  { status: STATUS.CE, languageType: 1, code: 'int main() { return undeclared; }' },
  { status: STATUS.CE, languageType: 2, code: 'def broken(:' },
  { status: STATUS.TLE, languageType: 0, code: 'int main(void){for(volatile int i=0;;i++);}' },
  {
    status: STATUS.MLE,
    languageType: 1,
    code: '#include <vector>\nint main(){std::vector<std::vector<char>> all;for(;;)all.emplace_back(1<<20,1);}',
  },
  { status: STATUS.RE, languageType: 2, code: 'raise SystemExit(3)' },
  { status: STATUS.RE, languageType: 0, code: '#include <stdlib.h>\nint main(void){abort();}' },
  {
    status: STATUS.OLE,
    languageType: 0,
    code: '#include <stdio.h>\nint main(void){for(;;)puts("and on");}',
  },
]
