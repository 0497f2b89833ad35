/**
 * What came of it, to read: {@link dev.sluice.arena.report.MarkdownReport} for the repository,
 * {@link dev.sluice.arena.report.HtmlReport} with pictures in one file, {@link
 * dev.sluice.arena.report.TextReport} for a terminal and {@link dev.sluice.arena.report.JsonReport}
 * for programs. Equal results give equal bytes, wherever and whenever they are written.
 */
@NullMarked
package dev.sluice.arena.report;

import org.jspecify.annotations.NullMarked;
