import { expect, test } from "vitest";
import { layoutFor } from "../src/lib/layout";

test.each([
  ["wide", 90, 56.25],
  ["wide-low", 85.375, 39],
  ["square", 64, 48],
  ["tall", 48, 64],
  ["phone-large", 40, 60],
  ["phone", 24.375, 52.75],
  ["phone-short", 22.5, 40],
  ["phone-landscape", 52.75, 24.375],
])("%s in a window of %f by %f", (layout, width, height) => {
  expect(layoutFor(width, height)).toBe(layout);
});

test.each([
  ["wide", 75, 42.5, "wide-low", 74.9, 42.5],
  ["wide", 75, 42.5, "wide-low", 75, 42.4],
  ["wide-low", 60, 40, "square", 59.9, 40],
  ["square", 44, 44, "tall", 44, 44.1],
  ["square", 44, 40, "phone", 43.9, 40],
  ["tall", 44, 60, "phone-large", 43.9, 60],
  ["phone-large", 37.5, 60, "phone", 37.4, 60],
  ["phone", 37.4, 46.1, "phone-short", 37.4, 46],
  ["wide-low", 50, 32.5, "phone-landscape", 50, 32.4],
  ["phone-landscape", 50, 30, "phone", 49.9, 30],
])("%s in a window of %f by %f, and %s beyond", (layout, width, height, other, less, lower) => {
  expect([layoutFor(width, height), layoutFor(less, lower)]).toEqual([layout, other]);
});
