"""Reads the zip of a course: python3 read-archive.py course.zip. Prints each student's sums and checks that no program is missing."""
import csv, io, json, sys, zipfile

def rows(zip_file, name):
    return list(csv.DictReader(io.StringIO(zip_file.read(name).decode("utf-8-sig"))))

with zipfile.ZipFile(sys.argv[1]) as archive:
    broken = archive.testzip()
    names = archive.namelist()
    print(json.loads(archive.read("course.json"))["course"])
    for name in names:
        if name.startswith("homeworks/") and name.endswith("/marks.csv"):
            print(name.split("/")[1])
            for row in rows(archive, name):
                print(f"  {row['username']}: {row['sum'] or 'excused'}")
    programs = {name.rsplit("/", 1)[-1].split(".")[0] for name in names if name.startswith("programs/")}
    missing = [row["id"] for row in rows(archive, "submissions.csv") if row["id"] not in programs]
print(f"{len(programs)} programs, {len(missing)} missing", *missing)
sys.exit(broken is not None or missing != [])
