import * as fc from "fast-check";

// A property is tried a hundred times in the tests themselves; here it runs once a mutant.
fc.configureGlobal({ numRuns: 15 });
