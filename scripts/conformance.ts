// Writes docs/conformance.md anew (`npm run conformance`).
import { writeDocument } from '../test/conformance.ts';

writeDocument();
