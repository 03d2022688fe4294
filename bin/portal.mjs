#!/usr/bin/env node
// The `portal` command. It stays readable for old versions of Node, so that they can be told what is missing.
import { launch } from './launch.mjs';

launch('../src/main.ts');
