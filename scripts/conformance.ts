// Writes docs/conformance.md anew (`npm run conformance`).
import { writeDocument } from '../test/runner/conformance.ts';

writeDocument();
